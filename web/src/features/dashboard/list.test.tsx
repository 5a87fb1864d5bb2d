import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAt } from '../../../mock/kit.tsx';
import { appointment, day, task } from '../../../mock/story.ts';
import { presentTask } from '../../parts/task/highlights.ts';
import uiWords from '../../shared/ui/words/en.json';
import { DashboardPage } from './DashboardPage.tsx';
import { cards, eachAnew, lists, open, press, t } from './testing.tsx';

vi.mock('../../parts/task/TaskCard.tsx', async () => ({
  TaskCard: (await import('../../../mock/lightCard.tsx')).LightCard,
}));

const names = async () => (await cards()).map((card) => card.querySelector('h3')?.textContent);

eachAnew();

describe('the list', () => {
  it.each([
    ['one@example.com', 1, false],
    ['twenty@example.com', 20, false],
    ['many@example.com', 20, true],
  ])('of %s shows %i cards, in pages: %s', async (email, shown, paged) => {
    open(email).show();
    expect(await cards()).toHaveLength(shown);
    if (paged) await screen.findByRole('navigation', { name: t('dashboard.pages') });
    expect(screen.queryByRole('navigation', { name: t('dashboard.pages') }) !== null).toBe(paged);
  });

  // spec: 7.4.04, 9.08
  it('has pages of 20, keeps the page in the address and restores it', async () => {
    const { sent, show } = open('many@example.com');
    const { router, unmount } = show();
    const first = await names();
    expect(await screen.findByText('1 to 20 of 500')).toBeTruthy();
    fireEvent.click(screen.getByLabelText(uiWords.nextPage));
    await waitFor(async () => expect(await names()).not.toEqual(first));
    expect(screen.getByText('21 to 40 of 500')).toBeTruthy();
    expect(router.state.location.search).toBe('?show=all&page=2');
    expect(lists(sent).at(-1)).toContain('page=2&page_size=20');
    const second = await names();
    unmount();
    renderAt(<DashboardPage />, '/dashboard');
    expect(await names()).toEqual(second);
  });

  it('opens the last page if the page in the address does not exist', async () => {
    const { router } = open('many@example.com', '/dashboard?page=99').show();
    await waitFor(() => expect(router.state.location.search).toBe('?show=all&page=25'));
    expect(await cards()).toHaveLength(20);
  });

  it('shows all tasks, the monitored ones, or the completed ones', async () => {
    const { sent, show } = open();
    show();
    expect(await cards()).toHaveLength(2);
    await press(t('task.monitoring'));
    await waitFor(async () => expect(await names()).toEqual(['Lin Zhixia, Chen Yuhang']));
    expect(lists(sent).at(-1)).toContain('status=running');
    await press(t('task.completed'));
    await waitFor(async () => expect(await names()).toEqual(['Zhao Mingyuan']));
    await press(t('dashboard.all'));
    expect(await cards()).toHaveLength(2);
  });

  it('shows the numbers of running tasks and open questions, whatever the filter is', async () => {
    const { world, show } = open();
    const until = new Date(Date.now() + 90_000).toISOString();
    for (const one of world.tasks.values())
      if (one.status === 'active')
        one.engine.verdict.evidence = { ...one.engine.verdict.evidence, asked: { date: day(40), facility: 'Toronto', until } };
    show();
    expect(await cards()).toHaveLength(2);
    expect(screen.getByText(t('dashboard.questions', { count: 1 }))).toBeTruthy();
    expect(screen.getByText(t('dashboard.running', { count: 1 }))).toBeTruthy();
    await press(t('task.completed'));
    await waitFor(async () => expect(await names()).toEqual(['Zhao Mingyuan']));
    expect(screen.getByText(t('dashboard.running', { count: 1 }))).toBeTruthy();
    expect(screen.queryByText(t('dashboard.nothingRuns'))).toBeNull();
  });

  it('separates tasks that need the user, and paused tasks, from completed ones', async () => {
    const { world, sent, show } = open();
    world.tasks.set('e', task({ id: 'e', status: 'error', status_reason: 'credentials_rejected' }));
    world.tasks.set(
      'p',
      task({ id: 'p', status: 'stopped', status_reason: 'by_user', auto_stopped: false, success_history: [] }),
    );
    show();
    expect(await cards()).toHaveLength(4);
    const ids = async () => (await cards()).map((card) => card.id);
    await press(t('task.needsYou'));
    await waitFor(async () => expect(await ids()).toEqual(['task-e']));
    expect(lists(sent).at(-1)).toContain('status=needs_you');
    await press(t('task.paused'));
    await waitFor(async () => expect(await ids()).toEqual(['task-p']));
    await press(t('task.completed'));
    await waitFor(async () => expect(await names()).toEqual(['Zhao Mingyuan']));
  });

  it('finds the completed tasks among many stopped ones, and counts only them', async () => {
    const { world, show } = open('many@example.com', '/dashboard?show=done');
    show();
    expect(await cards()).toHaveLength(20);
    const done = [...world.tasks.values()].filter((one) => one.status === 'stopped' && one.auto_stopped).length;
    expect(await screen.findByText(`1 to 20 of ${done}`)).toBeTruthy();
  });

  it('states that no task matches the filter, and how to show all', async () => {
    open('one@example.com', '/dashboard?show=done').show();
    expect(await screen.findByText(t('dashboard.noneDone'))).toBeTruthy();
    await press(t('dashboard.showAll'));
    expect(await cards()).toHaveLength(1);
  });

  // spec: 2.7.12
  it('scrolls to the card of a task changed on another page and highlights it', async () => {
    const scrolled = vi.fn();
    Element.prototype.scrollIntoView = scrolled;
    presentTask('0193-done');
    open().show();
    await waitFor(() => expect(document.getElementById('task-0193-done')?.dataset.highlighted).toBe('true'));
    expect(scrolled.mock.instances[0]).toBe(document.getElementById('task-0193-done'));
  });
});

describe('the order of the list', () => {
  it('is newest first, soonest appointment or next check, and is stored in the address', async () => {
    const { world, sent, show } = open('one@example.com');
    world.tasks.set('late', task({ id: 'late', appointments: [appointment({ appointment_date: day(300) })] }));
    world.tasks.set('soon', task({ id: 'soon', appointments: [appointment({ appointment_date: day(30) })] }));
    const { router, unmount } = show();
    expect(await cards()).toHaveLength(3);
    const sort = screen.getByRole('combobox', { name: t('dashboard.sort') });
    sort.focus();
    fireEvent.click(sort);
    const soonest = await screen.findByRole('option', { name: t('dashboard.sortAppointment') });
    fireEvent.mouseMove(soonest);
    fireEvent.click(soonest);
    const ids = async () => (await cards()).map((card) => card.id);
    await waitFor(async () => expect(await ids()).toEqual(['task-soon', 'task-0193-on', 'task-late']));
    expect(router.state.location.search).toBe('?show=all&page=1&sort=appointment');
    expect(lists(sent).at(-1)).toContain('sort=appointment');
    expect(lists(sent)[0]).not.toContain('sort');
    unmount();
    renderAt(<DashboardPage />, '/dashboard');
    expect((await ids())[0]).toBe('task-soon');
  });
});

describe('pausing all displayed tasks', () => {
  const pauseAll = async () => {
    await press(t('dashboard.pauseAll'));
    const dialog = within(await screen.findByRole('dialog', { name: t('dashboard.pauseAsk', { count: 3 }) }));
    fireEvent.click(dialog.getByRole('button', { name: t('dashboard.pauseYes', { count: 3 }) }));
  };
  const stops = (sent: string[]) => sent.filter((call) => call.endsWith('/stop'));

  it('asks for confirmation with their number, can be cancelled, sends one request per task and names failures', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { world, sent, broken, show } = open('one@example.com');
    for (const id of ['a', 'b'])
      world.tasks.set(id, task({ id, appointments: [appointment({ applicant_names: [`Name ${id}`] })] }));
    world.tasks.set('p', task({ id: 'p', status: 'stopped', status_reason: 'by_user' }));
    show();
    expect(await cards()).toHaveLength(4);
    await pauseAll();
    fireEvent.click(await screen.findByRole('button', { name: t('task.undo') }));
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(stops(sent)).toEqual([]);
    broken.add('POST /schedules/b/stop');
    await pauseAll();
    await act(() => vi.advanceTimersByTimeAsync(1_100));
    await waitFor(() => expect(stops(sent)).toHaveLength(3));
    expect(await screen.findByText(t('dashboard.paused', { count: 2 }))).toBeTruthy();
    expect(await screen.findByText(t('dashboard.pauseFailed', { count: 1, names: 'Name b' }))).toBeTruthy();
    expect([...world.tasks.values()].filter((one) => one.status === 'active').map((one) => one.id)).toEqual(['b']);
  });

  it('is not offered if only one task is running', async () => {
    open('one@example.com').show();
    await cards();
    expect(screen.queryByRole('button', { name: t('dashboard.pauseAll') })).toBeNull();
  });
});

describe('a requested task', () => {
  it('is shown on its page, whatever page and filter were chosen', async () => {
    Element.prototype.scrollIntoView = vi.fn();
    presentTask('0193-0045');
    const { router } = open('many@example.com', '/dashboard?show=done&page=2').show();
    await waitFor(() => expect(router.state.location.search).toBe('?show=all&page=3'));
    await waitFor(() => expect(document.getElementById('task-0193-0045')?.dataset.highlighted).toBe('true'));
  });

  it('that does not exist leaves the list unchanged', async () => {
    presentTask('nowhere');
    const { sent, show } = open();
    const { router } = show();
    await waitFor(() => expect(sent.some((call) => call.includes('page_size=100'))).toBe(true));
    expect(await cards()).toHaveLength(2);
    expect(router.state.location.search).toBe('');
  });
});
