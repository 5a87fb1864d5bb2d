import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { describe, expect, it, vi } from 'vitest';
import { renderAt } from '../../../mock/kit.tsx';
import { task } from '../../../mock/story.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { streamState } from '../../shared/api/streamState.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { DashboardPage } from './DashboardPage.tsx';
import { cards, eachAnew, lists, open, press, t } from './testing.tsx';

const lines = () => screen.getByRole('region', { name: t('lines.title') });
/** Opens the sheet of a line. */
const openSheet = async (title: TextKey) => {
  fireEvent.click(within(lines()).getByText(t(title)));
  return within(await screen.findByRole('dialog'));
};

const plain = (text: string | null | undefined) => (text ?? '').replaceAll('\u2060', '');
const text = () => plain(document.body.textContent);

eachAnew();

describe('the dashboard', () => {
  // spec: 2.7.01
  it.each([
    ['en', /^Good (morning|afternoon|evening), lin$/, '1 task running', 'Checks'],
    ['zh', /^(早上|下午|晚上)好，lin$/, '1 个任务监控中', '总查询次数'],
  ])('greets by name in %s and shows what runs and the time of the next check', async (language, greeting, running, total) => {
    await i18next.changeLanguage(language);
    open().show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(greeting);
    expect(await screen.findByText(running)).toBeTruthy();
    expect(text()).toContain(language === 'en' ? 'next check ' : '下次查询 ');
    expect(await screen.findByText(total)).toBeTruthy();
  });

  it.each([
    [9, 'Good morning, lin'],
    [15, 'Good afternoon, lin'],
    [22, 'Good evening, lin'],
  ])('greets by the local time of day: at %i h', (hour, greeting) => {
    vi.spyOn(Date.prototype, 'getHours').mockReturnValue(hour);
    open().show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(greeting);
  });

  // spec: 2.7.03, 2.7.04
  it('links to a new task from the welcome; before the first one from the three steps, with price and duration', async () => {
    open().show();
    await cards();
    const links = () => screen.getAllByRole('link', { name: t('dashboard.newTask') }).map((link) => link.getAttribute('href'));
    expect(links()).toEqual(['/schedule/wizard']);
    expect(screen.queryByText(t('quick.title'))).toBeNull();
    const again = screen.getByRole('region', { name: t('quick.again') });
    expect(within(again).queryByRole('listitem')).toBeNull();
    fireEvent.click(within(again).getByRole('button', { name: t('quick.again') }));
    expect(within(again).getAllByRole('listitem')).toHaveLength(3);
    cleanup();
    queryClient.clear();
    open('empty@example.com').show();
    const teacher = within(await screen.findByRole('region', { name: t('quick.title') }));
    expect(teacher.getAllByRole('listitem').map((step) => step.textContent)).toEqual([
      `1${t('wizard.step1')}${t('quick.text1')}`,
      `2${t('wizard.step2')}${t('quick.text2')}`,
      `3${t('wizard.step3')}${t('quick.text3')}`,
    ]);
    expect(links()).toEqual(['/schedule/wizard']);
    expect(await teacher.findByText(/38\.00 CAD .*about 3 minutes/)).toBeTruthy();
  });

  // spec: 2.7.02
  it('reminds of the code and of paying after a success, with a link to more', async () => {
    const { world, show } = open('empty@example.com');
    world.credit = 0;
    show();
    const banner = within(await screen.findByRole('region', { name: t('reminder.title') }));
    expect(banner.getByText(t('reminder.text'), { exact: false })).toBeTruthy();
    expect(banner.getByRole('link', { name: t('reminder.more') }).getAttribute('href')).toBe('/faq');
    fireEvent.click(banner.getByRole('button', { name: t('reminder.close') }));
    expect(screen.queryByText(t('reminder.title'))).toBeNull();
  });

  // spec: 2.7.02
  it('reminds again after the balance was used up', async () => {
    const { world, show } = open();
    localStorage.setItem('sooner.reminder.closed', '1');
    show();
    await cards();
    await waitFor(() => expect(localStorage.getItem('sooner.reminder.closed'), 'there is money').toBeNull());
    expect(screen.queryByText(t('reminder.title'))).toBeNull();
    Object.assign(world, { credit: 0, onHold: 0 });
    await act(() => queryClient.refetchQueries({ queryKey: ['credit'] }));
    expect(await screen.findByText(t('reminder.title'))).toBeTruthy();
  });

  it('hides the name in the greeting, the balance and the money of a task while its card hides its applicants', async () => {
    open().show();
    const card = within((await cards())[0] as HTMLElement);
    await waitFor(() => expect(lines().textContent).toContain('46.00 CAD'));
    fireEvent.click(card.getByRole('button', { expanded: false, name: /^Task details/ }));
    fireEvent.click(card.getByRole('button', { name: t('task.hide') }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toMatch(/, l\*\*\*$/);
    await waitFor(() => expect(lines().textContent).toContain('*** CAD'));
    expect(lines().textContent).not.toMatch(/46\.00|76\.00/);
    await openSheet('balance.title');
    const balance = document.getElementById('balance') as HTMLElement;
    expect(balance.textContent).toContain('*** CAD');
    expect(balance.textContent).not.toMatch(/46\.00|76\.00|Lin Zhixia/);
    fireEvent.click(screen.getByRole('button', { name: 'Close' }));
    fireEvent.click(card.getByRole('button', { name: t('task.show') }));
    expect(lines().textContent).toContain('46.00');
  });

  // spec: 2.7.05
  it('shows the four figures with their details', async () => {
    open().show();
    await screen.findByText(t('stats.rate'));
    const figure = (key: TextKey) => {
      // An open card also shows a number of checks.
      const box = screen.getAllByText(t(key), { selector: 'dt' }).at(-1)?.parentElement as HTMLElement;
      return [...box.querySelectorAll('dd')].map((part) => plain(part.textContent));
    };
    expect(figure('stats.checks')).toEqual(['2,061checks', '42 today']);
    expect(figure('stats.days')).toEqual(['159days', 'Best single move: 99 days']);
    expect(figure('stats.rate')).toEqual(['67%', '2 of 3 attempts booked']);
    expect(figure('stats.active')).toEqual(['1task', '1 with a booking']);
  });

  // spec: 2.7.06
  it('shows the state of the official site, the engine, the checks and the mail', async () => {
    open().show();
    expect(await within(lines()).findByText(t('system.fine'))).toBeTruthy();
    expect(lines().textContent).toMatch(/next check /);
    await cards();
    const panel = await openSheet('nav.status');
    expect(await panel.findByText('responding · 1.2 s')).toBeTruthy();
    const bars = panel.getByRole('img', { name: t('system.barsSay', { ok: 21, slow: 1, down: 0, none: 2 }) });
    expect(bars.children).toHaveLength(24);
    expect(panel.getByText('4 of 6')).toBeTruthy();
    expect(panel.getByText('19 of 40')).toBeTruthy();
    expect(panel.getByText(t('system.mailOk'))).toBeTruthy();
    expect(panel.getByText(/last check .*/)).toBeTruthy();
    expect(panel.getByText(/next check .*/)).toBeTruthy();
    expect(panel.getByText(/checks in 24 hours/)).toBeTruthy();
  });

  it('requests the status again when a task shows a check that it does not include yet', async () => {
    const { world, sent, show } = open();
    show();
    await within(lines()).findByText(t('system.fine'));
    await cards();
    const reads = () => sent.filter((call) => call === 'GET /status').length;
    const before = reads();
    for (const one of world.tasks.values()) one.engine.last_check_at = new Date(Date.now() + 60_000).toISOString();
    await act(() => queryClient.invalidateQueries({ queryKey: ['tasks'] }));
    await waitFor(() => expect(reads()).toBe(before + 1));
  });

  it('does not report all mail as delivered while some is waiting', async () => {
    for (const language of ['en', 'zh']) {
      await i18next.changeLanguage(language);
      expect(t('system.mailOk')).not.toMatch(/all|全部/);
    }
  });

  // spec: 2.7.07, 2.7.10
  it('shows the tip with a link to the settings, and the balance card', async () => {
    open().show();
    expect(screen.getByRole('link', { name: 'Settings' }).getAttribute('href')).toBe('/settings');
    const sheet = await openSheet('balance.title');
    expect(screen.getByRole('dialog', { name: t('balance.title') })).toBeTruthy();
    expect(sheet.getByLabelText(t('topup.label'), { selector: 'input' })).toBeTruthy();
  });

  // spec: 2.7.80
  it('opens each line as a sheet at an address of its own, and closes it without losing the view', async () => {
    const { world, show } = open('lin@example.com', '/dashboard?show=paused');
    world.credit = 12;
    const { router } = show();
    expect(await within(lines()).findByText(t('balance.low'))).toBeTruthy();
    expect(lines().textContent).toContain(t('balance.allowsNone'));
    await openSheet('lines.topUp');
    expect(router.state.location).toMatchObject({ search: '?show=paused', hash: '#top-up' });
    await waitFor(() => expect(document.activeElement?.closest('#balance-top-up')).toBeTruthy());
    await act(() => router.navigate(-1));
    expect(screen.queryByRole('dialog')).toBeNull();
    await openSheet('nav.status');
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location).toMatchObject({ search: '?show=paused', hash: '' });
  });

  // spec: 2.7.80
  it.each(['en', 'zh'])('says in %s in the lines what could not be loaded', async (language) => {
    await i18next.changeLanguage(language);
    const { broken, show } = open();
    broken.add('GET /users/credit');
    broken.add('GET /status');
    show();
    expect(await within(lines()).findByText(t('system.failed'))).toBeTruthy();
    await waitFor(() => expect(lines().textContent).toMatch(/Network error|网络出错/));
  });

  // spec: 2.7.81
  it('frames the tasks of one visa account, and masks its name while a card hides its applicants', async () => {
    const { world, show } = open();
    world.tasks.set('second', task({ id: 'second' }));
    show();
    const framed = await screen.findByRole('region', {
      name: t('dashboard.accountTasks', { account: 'linzhixia@example.com', count: 2 }),
    });
    expect(framed.querySelectorAll('article')).toHaveLength(2);
    expect(document.querySelectorAll('article')).toHaveLength(3);
    const card = within(framed.querySelector('article') as HTMLElement);
    const closed = card.queryByRole('button', { expanded: false, name: /^Task details/ });
    if (closed) fireEvent.click(closed);
    fireEvent.click(card.getByRole('button', { name: t('task.hide') }));
    expect(
      screen.getByRole('region', { name: t('dashboard.accountTasks', { account: 'l***@example.com', count: 2 }) }),
    ).toBeTruthy();
  });

  // spec: 2.7.08
  it('requests no drafts, and shows none', async () => {
    const { world, sent, show } = open();
    world.tasks.set('d', task({ id: 'd', status: 'configured' }));
    show();
    expect(await cards()).toHaveLength(2);
    expect(lists(sent)[0]).toContain('status=submitted%2Cprocessing%2Cactive%2Cstopped%2Cerror');
  });

  // spec: 2.7.09
  it('shows the first steps without a task', async () => {
    open('empty@example.com').show();
    expect(await screen.findByText(t('dashboard.emptyTitle'))).toBeTruthy();
    expect(screen.queryByRole('navigation', { name: t('dashboard.pages') })).toBeNull();
  });
});

describe('slow and failed requests', () => {
  it('shows skeletons while loading, and a message when it takes long', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open();
    vi.stubGlobal('fetch', () => new Promise(() => undefined));
    renderAt(<DashboardPage />);
    expect(screen.getByText(t('dashboard.loading'))).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(4_100));
    expect(screen.getByText(t('dashboard.slow'))).toBeTruthy();
  });

  // spec: 8.2.15
  it.each([
    ['en', 'Failed to load data, please refresh and try again'],
    ['zh', '数据加载失败，请刷新重试'],
  ])('says in %s that the tasks could not be loaded, and retries on a press', async (language, message) => {
    await i18next.changeLanguage(language);
    const { broken, show } = open();
    broken.add('GET /schedules');
    show();
    const notice = (await screen.findByText(message)).closest('[role=alert]') as HTMLElement;
    broken.clear();
    fireEvent.click(within(notice).getByRole('button', { name: t('problem.retry') }));
    expect(await cards()).toHaveLength(2);
  });

  it('keeps showing its data, with its age, when the service fails', async () => {
    const { broken, show } = open();
    show();
    await cards();
    broken.add('GET /schedules');
    await act(() => queryClient.invalidateQueries({ queryKey: ['tasks'] }));
    expect(await screen.findByText(t('dashboard.stale', { ago: t('settings.justNow') }))).toBeTruthy();
    expect(await cards()).toHaveLength(2);
  });

  it('polls every 30 s while the stream is down, and not while it is up', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { sent, show } = open();
    show();
    await cards();
    const before = lists(sent).length;
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(lists(sent)).toHaveLength(before);
    act(() => streamState.set('down'));
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(lists(sent)).toHaveLength(before + 2);
  });

  // spec: 7.4.03, 9.03
  it('requests the balance every 30 s beside the stream', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { sent, show } = open();
    show();
    await cards();
    const asked = () => sent.filter((call) => call === 'GET /users/credit').length;
    const before = asked();
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    expect(asked()).toBe(before + 2);
  });
});

describe('deleting a task', () => {
  const removeFirst = async () => {
    const card = within((await cards())[0] as HTMLElement);
    const closed = card.queryByRole('button', { expanded: false, name: /^(Task details|任务详情)/ });
    if (closed) fireEvent.click(closed);
    fireEvent.click(card.getByRole('button', { name: t('task.delete') }));
  };

  it('hides the card at once, can be undone, and sends the request after 5 s', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { world, show } = open();
    show();
    await removeFirst();
    expect(await cards()).toHaveLength(1);
    await press(t('task.undo'));
    expect(await cards()).toHaveLength(2);
    await act(() => vi.advanceTimersByTimeAsync(6_000));
    expect(world.tasks.size).toBe(2);
    await removeFirst();
    await act(() => vi.advanceTimersByTimeAsync(5_100));
    await waitFor(() => expect(world.tasks.size).toBe(1));
    expect(await cards()).toHaveLength(1);
  });

  it('sends the deletion that a reload interrupted, and keeps the task hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { world, sent, show } = open();
    const { unmount } = show();
    await removeFirst();
    const waiting = JSON.parse(sessionStorage.getItem('sooner.deleting') ?? '{}') as { person: string; ids: string[] };
    expect(waiting).toMatchObject({ person: 'u1', ids: [expect.any(String)] });
    await press(t('task.undo'));
    expect(sessionStorage.getItem('sooner.deleting')).toBeNull();
    unmount();
    // State after a reload: the storage remains, but the page's memory is empty.
    sessionStorage.setItem('sooner.deleting', JSON.stringify(waiting));
    show();
    await waitFor(() => expect(world.tasks.size).toBe(1));
    expect(sent).toContain(`DELETE /schedules/${waiting.ids[0]}`);
    expect(await cards()).toHaveLength(1);
    await waitFor(() => expect(sessionStorage.getItem('sooner.deleting')).toBeNull());
  });

  // spec: 8.2.27
  it.each([
    ['en', 'Failed to delete schedule'],
    ['zh', '删除失败，请再试一次'],
  ])('reports in %s that it failed, and shows the card again', async (language, message) => {
    await i18next.changeLanguage(language);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    open().show();
    await removeFirst();
    const before = globalThis.fetch;
    const failed = JSON.stringify({ success: false, data: null, error: { code: 'ODD', message: '' } });
    vi.stubGlobal('fetch', async (request: Request) =>
      request.method === 'DELETE' ? new Response(failed, { status: 500 }) : before(request),
    );
    await act(() => vi.advanceTimersByTimeAsync(5_100));
    expect(await screen.findByText(message)).toBeTruthy();
    expect(await cards()).toHaveLength(2);
  });

  it('is sent at once when the user leaves the site', async () => {
    const { world, show } = open();
    show();
    await removeFirst();
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(world.tasks.size).toBe(1));
  });
});
