import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../mock/kit.tsx';
import { oddTasks } from '../../../mock/scenes.ts';
import { appointment, doneTask, stateTasks, task } from '../../../mock/story.ts';
import { useTaskPage } from '../../features/dashboard/useTaskPage.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { FIRST_PAGE } from '../../shared/api/taskList.ts';
import type { Task } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { toastManager } from '../../shared/ui/toastManager.ts';
import { approvals } from './pendingApproval.ts';
import { TaskCard } from './TaskCard.tsx';
import { reloadTask } from './taskCache.ts';

const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;
const plain = (text: string | null | undefined) => (text ?? '').replaceAll('\u2060', '').replaceAll('\u00a0', ' ');
const text = () => plain(document.body.textContent);

/** Renders the cards of all tasks in the fake backend, like the dashboard. */
function Cards({ onDelete }: { onDelete: (task: Task) => void }) {
  const { data } = useTaskPage(FIRST_PAGE);
  return data?.schedules.map((one) => <TaskCard key={one.id} task={one} alone onDelete={onDelete} />);
}

/** Fingerprint appointment in Bogota. */
const fingerprints = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };

/** Renders the card of one task with the fake backend. */
async function show(one: Task, onDelete = vi.fn()) {
  const backend = fakeBackend('empty@example.com');
  backend.world.tasks.set(one.id, structuredClone(one));
  // The list contains only tasks with known statuses. A card with another status is rendered alone.
  const known = ['submitted', 'processing', 'active', 'stopped', 'error'].includes(one.status);
  const view = renderAt(known ? <Cards onDelete={onDelete} /> : <TaskCard task={one} alone onDelete={onDelete} />);
  const card = within(await screen.findByRole('article'));
  return { ...backend, ...view, card, onDelete };
}

const button = (card: ReturnType<typeof within>, key: TextKey) => card.getByRole('button', { name: t(key) }) as HTMLButtonElement;
/** Opens the closed part of a card: the account, the price, the place. */
const unfold = (card: ReturnType<typeof within>) =>
  fireEvent.click(card.getByRole('button', { name: new RegExp(t('task.accountAndCost')) }));
const quick = () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  vi.spyOn(Math, 'random').mockReturnValue(0);
};
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  approvals.set({});
  queryClient.setDefaultOptions({ queries: { retry: false } });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  toastManager.close();
  cleanup();
  vi.unstubAllGlobals();
});

describe('the side panel', () => {
  // spec: 2.7.13, 2.7.28, 4.2.02, 4.2.03
  it.each([
    ['submitted', false, 'task.monitoring'],
    ['processing', false, 'task.monitoring'],
    ['active', false, 'task.monitoring'],
    ['stopped', false, 'task.paused'],
    ['stopped', true, 'task.completed'],
    ['error', false, 'task.needsYou'],
    ['hibernating', false, 'task.unknown'],
  ] as const)('shows for %s (by itself: %s) the state, with the total price', async (status, auto_stopped, label) => {
    const { card } = await show(task({ id: 'a', status, auto_stopped }));
    expect(card.getAllByText(t(label))[0]).toBeTruthy();
    expect(plain(card.getByText('76.00').textContent)).toBe('76.00 CAD');
    expect(card.getByText(t('task.held'))).toBeTruthy();
  });

  it.each([
    [11, 'took 11 minutes'],
    [150, 'took 2 hours'],
    [60 * 24 * 3, 'took 3 days'],
  ])('shows how long a search of %i minutes took', async (minutes, duration) => {
    const since = new Date(Date.parse(doneTask.status_since) - minutes * 60_000).toISOString();
    const { card } = await show({ ...doneTask, id: 'a', submitted_at: since });
    expect(card.getByText(duration)).toBeTruthy();
  });

  it('shows the duration in Chinese', async () => {
    await i18next.changeLanguage('zh');
    const since = new Date(Date.parse(doneTask.status_since) - 11 * 60_000).toISOString();
    const { card } = await show({ ...doneTask, id: 'a', submitted_at: since });
    expect(card.getByText('用时 11 分钟')).toBeTruthy();
  });

  // spec: 3.32
  it('shows the progress of a task until its first poll', async () => {
    const { card } = await show(task({ id: 'a', status: 'processing' }));
    expect(card.getByRole('progressbar', { name: t('task.progress') }).getAttribute('aria-valuenow')).toBe('75');
  });
});

describe('the row of a card', () => {
  /** Renders the card of a task among several. It is closed until the user opens it. */
  async function showRow(one: Task) {
    const { sent } = fakeBackend('empty@example.com');
    renderAt(<TaskCard task={one} onDelete={vi.fn()} />);
    const card = within(await screen.findByRole('article'));
    return { card, sent, toggle: card.getByRole('button', { expanded: false, name: /^(Task details|任务详情)/ }) };
  }

  it.each([
    ['en', '2027-01-05 (Tue) 7:30 AM · Vancouver', '159 days sooner'],
    ['zh', '2027-01-05（周二）上午 7:30 · 温哥华', '提前 159 天'],
  ])('shows in %s the applicants, the present appointment and the days gained', async (language, line, gained) => {
    await i18next.changeLanguage(language);
    const moves = [
      { ...doneTask.success_history[0], date: '2027-01-05', fromDate: '2027-03-06' },
      { ...doneTask.success_history[1], date: '2027-03-06', fromDate: '2027-06-13' },
    ] as Task['success_history'];
    const appointments = [{ ...doneTask.appointments[0], appointment_date: '2027-01-05' }] as Task['appointments'];
    const { card } = await showRow({ ...doneTask, appointments, success_history: moves });
    expect(card.getByRole('heading', { level: 3 }).textContent).toBe('Zhao Mingyuan');
    await waitFor(() => expect(text().replaceAll('\u00a0', ' ')).toContain(line));
    expect(card.getByText(gained)).toBeTruthy();
    expect(card.getByText(t('task.completed'))).toBeTruthy();
    expect(plain(card.getByText('38.00').textContent)).toBe('38.00 CAD');
    expect(card.queryByText(t('task.criteria'))).toBeNull();
  });

  it('counts down to the next check by the second, until the card is open', async () => {
    quick();
    const { card, toggle } = await showRow(task({ id: 'ticking' }));
    const before = card.getByText(/^next check in 11:\d\d$/).textContent;
    await pass(1_100);
    const after = card.getByText(/^next check in 11:\d\d$/);
    expect(after.textContent).not.toBe(before);
    fireEvent.click(toggle);
    expect(after.isConnected).toBe(false);
    expect(card.getByText(t('condition.untilNext'))).toBeTruthy();
  });

  it.each([
    ['en', /^Hourly limit used, next check \d/],
    ['zh', /^本小时次数已用完，.*再查$/],
  ])(
    'shows in %s that the hourly limit is used, and the time of the next check, but never that a check is running',
    async (language, texts) => {
      await i18next.changeLanguage(language);
      const { card } = await showRow(stateTasks.find((one) => one.id === '0193-limit') as Task);
      expect(card.getByText(texts)).toBeTruthy();
      expect(card.queryByText(/checking|正在查询/)).toBeNull();
    },
  );

  it('shows an overdue check as due, and requests the time of the next one', async () => {
    quick();
    const due = task({ id: 'due' });
    due.engine = { ...due.engine, next_check_at: new Date(Date.now() + 2_000).toISOString() };
    const { card, sent } = await showRow(due);
    await pass(2_500);
    expect(card.getByText(`${t('condition.dueNote')} ${t('condition.due')}`)).toBeTruthy();
    expect(sent.filter((call) => call === 'GET /schedules/due/status')).toHaveLength(0);
    await pass(5_000);
    expect(sent.filter((call) => call === 'GET /schedules/due/status')).toHaveLength(1);
  });

  it('shows the problem, and why the task cannot be started', async () => {
    const { card } = await showRow(stateTasks.find((one) => one.id === '0193-rejected') as Task);
    expect(card.getByText(t('condition.rejected'))).toBeTruthy();
    const start = button(card, 'task.start');
    expect(start.disabled).toBe(true);
    expect(document.getElementById(start.getAttribute('aria-describedby') ?? '')?.textContent).toBe(t('cap.needs_new_password'));
  });

  it('opens and closes the card, keeps typed values, and stays open after a reload', async () => {
    const { card, toggle } = await showRow(task({ id: 'typed' }));
    fireEvent.click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    expect(document.getElementById(toggle.getAttribute('aria-controls') ?? '')?.hidden).toBe(false);
    fireEvent.click(button(card, 'task.change'));
    await card.findByRole('button', { name: t('editor.save') });
    fireEvent.click(toggle);
    expect(document.getElementById(toggle.getAttribute('aria-controls') ?? '')?.hidden).toBe(true);
    fireEvent.click(toggle);
    expect(card.getByRole('button', { name: t('editor.save') })).toBeTruthy();
    expect(JSON.parse(sessionStorage.getItem('sooner.dashboard.open') ?? '{}')).toMatchObject({ typed: true });
  });

  it('of a single task is open until the user closes it', async () => {
    const { card } = await show(task({ id: 'only' }));
    expect(card.getByText(t('task.criteria'))).toBeTruthy();
    const toggle = card.getByRole('button', { name: 'Task details: Lin Zhixia, Chen Yuhang' });
    expect(toggle.getAttribute('aria-expanded')).toBe('true');
    fireEvent.click(toggle);
    expect(toggle.getAttribute('aria-expanded')).toBe('false');
  });
});

describe('the head of a card', () => {
  // spec: 2.7.14, 3.27, 3.33, 3.34
  it.each([
    ['en', 'Lin Zhixia, Chen Yuhang', 'B1/B2 Business & Tourism', 'Toronto Consulate', 'Canada'],
    ['zh', 'Lin Zhixia、Chen Yuhang', 'B1/B2 商务和旅游', '多伦多领馆', '加拿大'],
  ])('shows names, class without parentheses, consulate and country in %s', async (language, names, visa, consulate, country) => {
    await i18next.changeLanguage(language);
    const { card } = await show(task({ id: 'a' }));
    expect(card.getByRole('heading', { level: 3 }).textContent).toBe(names);
    unfold(card);
    for (const fact of [visa, country, 'linzhixia@example.com']) expect(card.getByText(fact)).toBeTruthy();
    expect(await card.findByText(consulate)).toBeTruthy();
  });

  it.each([
    ['en', 'Dublin', 'Ireland'],
    ['zh', '都柏林', '爱尔兰'],
  ])(
    'names in %s the city and the country of a task elsewhere, where the post is an embassy',
    async (language, city, country) => {
      await i18next.changeLanguage(language);
      const there = [appointment({ facility: 'Dublin', country_code: 'en-ie' })];
      const { card } = await show(task({ id: 'a', country_code: 'en-ie', appointments: there }));
      unfold(card);
      expect(await card.findByText(city, { selector: 'dd span' })).toBeTruthy();
      expect(card.getByText(country)).toBeTruthy();
    },
  );

  // spec: 3.33, 3.38, 3.41
  it('falls back if the portal gave nothing: unknown location, one applicant, the number as name', async () => {
    const bare = oddTasks.find((one) => one.id === '0193-bare');
    const { card } = await show(bare as Task);
    unfold(card);
    expect(card.getAllByText('Unknown'), 'city and country').toHaveLength(2);
    expect(card.getByText('1 applicant')).toBeTruthy();
    expect(card.getByRole('heading', { level: 3 }).textContent).toBe('58213407');
    expect(card.getByText(t('reason.notScheduled'))).toBeTruthy();
  });

  it('shows four of twelve names, and the rest on a press', async () => {
    const { card } = await show(oddTasks[0] as Task);
    const heading = card.getByRole('heading', { level: 3 });
    expect(heading.textContent).not.toContain('Zhang Jiu');
    fireEvent.click(within(heading).getByRole('button', { name: '+8 more' }));
    expect(heading.textContent).toContain('Zhang Jiu');
  });

  // spec: 2.7.15, 2.7.24
  it('hides personal data as the specification defines, and stores that on this device', async () => {
    const rejected = { ...task({ id: 'a' }), ...stateTasks[2], id: 'a', appointments: task({ id: 'a' }).appointments };
    const { card, unmount } = await show(rejected as Task);
    fireEvent.click(button(card, 'task.hide'));
    expect(card.getByRole('heading', { level: 3 }).textContent).toBe('L***, C***');
    expect(card.getByText('h***@example.com')).toBeTruthy();
    expect(text()).toContain('IVR 13****72');
    expect(text()).not.toMatch(/38\.00|Zhixia|hebowen|13904472/);
    expect(plain(card.getAllByText('***')[0]?.textContent)).toBe('*** CAD');
    unmount();
    queryClient.clear();
    const again = await show(rejected as Task);
    expect(again.card.getByRole('heading', { level: 3 }).textContent).toBe('L***, C***');
    fireEvent.click(button(again.card, 'task.show'));
    expect(again.card.getByRole('heading', { level: 3 }).textContent).toBe('Lin Zhixia, Chen Yuhang');
  });

  // spec: 3.28, 4.2.09, 4.2.10, 9.35
  it.each([
    [0.8, 400, 'task.priorityHigh'],
    [0.79, 10, 'task.priorityMedium'],
    [0.5, 10, 'task.priorityMedium'],
    [0.49, 10, 'task.priorityNormal'],
    [null, 30, 'task.priorityHigh'],
    [null, 31, 'task.priorityMedium'],
    [null, 90, 'task.priorityMedium'],
    [null, 91, 'task.priorityNormal'],
    [null, null, 'task.priorityNormal'],
  ] as const)('a priority of %s, or %s days to the appointment, reads %s', async (priority, days, label) => {
    const one = task({ id: 'a' });
    const date = days === null ? null : (await import('../../../mock/story.ts')).day(days);
    const { card } = await show({
      ...one,
      schedule_config: { ...one.schedule_config, priority },
      appointments: [appointment({ appointment_date: date })],
    });
    unfold(card);
    expect(card.getByText(t(label))).toBeTruthy();
  });
});

describe('stop and start', () => {
  // spec: 2.7.17, 4.2.14, 4.2.15, 8.2.21
  it('counts down 1 to 3 s, can be undone, locks everything else meanwhile, and sends one request', async () => {
    quick();
    const { card, world, sent } = await show(task({ id: 'a' }));
    fireEvent.click(button(card, 'task.pause'));
    expect(card.getByText(t('task.pausingIn', { count: 1 }))).toBeTruthy();
    for (const key of ['task.edit', 'task.delete', 'task.change'] as const) expect(button(card, key).disabled).toBe(true);
    // The text is only for screen readers, because a visible line would move the card.
    const [spoken, shown] = card.getAllByText(t('cap.countdown'));
    expect(spoken?.className).toMatch(/spoken/);
    expect(shown?.getAttribute('aria-hidden')).toBe('true');
    fireEvent.click(button(card, 'task.undo'));
    await pass(3_000);
    expect(world.tasks.get('a')?.status).toBe('active');
    expect(button(card, 'task.edit').disabled).toBe(false);
    fireEvent.click(button(card, 'task.pause'));
    await pass(1_100);
    expect(await card.findByText(t('task.paused'), { selector: '*:not(p)' })).toBeTruthy();
    expect(sent.filter((call) => call === 'POST /schedules/a/stop')).toHaveLength(1);
    expect(await screen.findByText(t('toast.paused'))).toBeTruthy();
    expect(screen.getByRole('article').dataset.highlighted).toBe('true');
    fireEvent.click(button(card, 'task.start'));
    await pass(1_100);
    expect(await card.findByText(t('task.monitoring'))).toBeTruthy();
  });

  it.each(['zh', 'en'])('states in %s that a booking in progress cannot be cancelled', async (language) => {
    await i18next.changeLanguage(language);
    quick();
    const unknown = { ...(stateTasks.find((one) => one.id === '0193-unknown') as Task), id: 'a' };
    const { card } = await show(unknown);
    fireEvent.click(button(card, 'task.pause'));
    await pass(1_100);
    const { target } = unknown.engine.verdict.evidence ?? {};
    const city = language === 'zh' ? '多伦多' : 'Toronto';
    expect(await screen.findByText(t('toast.underWay', { date: target?.date, city }))).toBeTruthy();
  });

  // spec: 4.2.14, 9.26
  it('waits a random time between 1 s and 3 s', async () => {
    quick();
    vi.spyOn(Math, 'random').mockReturnValue(0.9999);
    const { card, sent } = await show(task({ id: 'a' }));
    fireEvent.click(button(card, 'task.pause'));
    expect(card.getByText(t('task.pausingIn', { count: 3 }))).toBeTruthy();
    await pass(2_800);
    expect(sent).not.toContain('POST /schedules/a/stop');
    await pass(300);
    expect(sent).toContain('POST /schedules/a/stop');
  });

  // spec: 10.17.05
  it('waits 5 s longer after a press of a key', async () => {
    quick();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const { card, sent } = await show(task({ id: 'a' }));
    const pause = button(card, 'task.pause');
    pause.focus();
    expect(pause.matches(':focus-visible')).toBe(true);
    fireEvent.click(pause);
    expect(card.getByText(t('task.pausingIn', { count: 6 }))).toBeTruthy();
    await pass(5_800);
    expect(sent).not.toContain('POST /schedules/a/stop');
    await pass(300);
    expect(sent).toContain('POST /schedules/a/stop');
  });

  it('continues when the user leaves the page during the countdown', async () => {
    quick();
    const { card, world, unmount } = await show(task({ id: 'a' }));
    fireEvent.click(button(card, 'task.pause'));
    unmount();
    await waitFor(() => expect(world.tasks.get('a')?.status).toBe('stopped'));
  });

  // spec: 8.2.16, 8.2.17
  it.each([
    ['en', 'task.pause', 'active', 'Failed to pause monitoring'],
    ['zh', 'task.pause', 'active', '暂停失败，请再试一次'],
    ['en', 'task.start', 'stopped', 'Failed to start monitoring'],
    ['zh', 'task.start', 'stopped', '开始失败，请再试一次'],
  ] as const)('reports in %s that %s failed', async (language, key, status, textKey) => {
    await i18next.changeLanguage(language);
    quick();
    const { card } = await show(task({ id: 'a', status, status_reason: 'by_user' }));
    vi.stubGlobal(
      'fetch',
      async () =>
        new Response(JSON.stringify({ success: false, data: null, error: { code: 'ODD', message: '' } }), { status: 500 }),
    );
    fireEvent.click(button(card, key));
    await pass(1_100);
    expect(await screen.findByText(textKey)).toBeTruthy();
  });

  it('reloads the card if the task has changed meanwhile, and removes it if it is gone', async () => {
    quick();
    const { card, world } = await show(task({ id: 'a' }));
    const moved = world.tasks.get('a') as Task;
    Object.assign(moved, { status: 'stopped', status_reason: 'by_user', version: 9 });
    moved.actions = { ...moved.actions, stop: { allowed: false, reason: 'not_running' }, start: { allowed: true, reason: null } };
    fireEvent.click(button(card, 'task.pause'));
    await pass(1_100);
    expect(await card.findByRole('button', { name: t('task.start') })).toBeTruthy();
    expect(screen.getByText(t('cap.not_running'))).toBeTruthy();
    world.tasks.delete('a');
    fireEvent.click(button(card, 'task.start'));
    await pass(1_100);
    await waitFor(() => expect(screen.queryByRole('article')).toBeNull());
    expect(screen.getByText(t('problem.gone'))).toBeTruthy();
  });

  it('offers neither start nor stop if the server permits neither, and explains it beside the button', async () => {
    const { card } = await show(stateTasks.find((one) => one.id === '0193-rejected') as Task);
    const start = button(card, 'task.start');
    expect(start.disabled).toBe(true);
    expect(document.getElementById(start.getAttribute('aria-describedby') ?? '')?.textContent).toBe(t('cap.needs_new_password'));
    expect(button(card, 'condition.updatePassword').disabled).toBe(false);
  });

  it('shows the fingerprint appointment beside the interview', async () => {
    await show(task({ id: 'a', appointments: [appointment({ fingerprints })] }));
    expect(text()).toContain('Fingerprints: 2027-02-05 (Fri) 7:30 AM · Bogota');
    cleanup();
    await i18next.changeLanguage('zh');
    await show(task({ id: 'a', appointments: [appointment({ fingerprints })] }));
    expect(text()).toContain('指纹采集：2027-02-05（周五）上午 7:30 · 波哥大');
  });

  it('shows the fingerprint appointment in a closed card too, once', async () => {
    const { card } = await show(task({ id: 'closed', appointments: [appointment({ fingerprints })] }));
    const toggle = () => fireEvent.click(card.getByRole('button', { name: /^Task details/ }));
    const lines = () => card.getAllByText(/^Fingerprints: /).filter((line) => !line.closest('[hidden]'));
    expect(lines()).toHaveLength(1);
    toggle();
    expect(lines().map((line) => plain(line.textContent))).toEqual(['Fingerprints: 2027-02-05 (Fri) 7:30 AM · Bogota']);
  });

  it.each([
    ['en', { min_days_before: null, max_days_before: 1, cities: [] }, 'Fingerprintsat most 1 day before the interview'],
    ['en', { min_days_before: 2, max_days_before: 9, cities: ['Toronto'] }, '2 to 9 days before the interview, in Toronto'],
    [
      'en',
      { min_days_before: null, max_days_before: null, cities: ['Toronto', 'Ottawa'] },
      'Fingerprintsin Toronto or Ottawa (Toronto first)',
    ],
    ['zh', { min_days_before: 3, max_days_before: null, cities: ['Toronto'] }, '指纹采集比面签至少早 3 天，在多伦多'],
    ['zh', { min_days_before: 3, max_days_before: 3, cities: [] }, '指纹采集比面签早 3 天'],
  ])('lists the condition for the fingerprint appointment in %s: %j', async (language, rule, line) => {
    await i18next.changeLanguage(language);
    const one = structuredClone(task({ id: 'a' }));
    one.schedule_config.search_params.fingerprints = rule;
    await show(one);
    await waitFor(() => expect(text()).toContain(line));
  });

  it('shows no fingerprint appointment where there is none', async () => {
    await show(task({ id: 'a', appointments: [appointment({})] }));
    expect(text()).not.toContain('Fingerprints');
  });

  it('asks the user to check a fingerprint appointment that is not the chosen one', async () => {
    await show(task({ id: 'a', status: 'error', status_reason: 'fingerprints_differ' }));
    expect(text()).toContain(t('condition.fingerprintsDiffer'));
    expect(text()).toContain('Nothing is charged unless the site shows both as booked.');
  });

  // spec: 2.7.16
  it('disables any action that the server forbids, and explains each', async () => {
    const no = (reason: string) => ({ allowed: false, reason });
    const actions = {
      ...task({ id: 'a' }).actions,
      edit: no('submitted_first'),
      stop: no('booking_unconfirmed'),
      delete: no('new_word'),
    };
    const { card } = await show(task({ id: 'a', actions: { ...actions, start: no('already_running') } }));
    for (const key of ['task.edit', 'task.change', 'task.pause', 'task.delete'] as const)
      expect(button(card, key).disabled).toBe(true);
    expect(text()).toContain(t('cap.submitted_first'));
    expect(text()).toContain(t('cap.booking_unconfirmed'));
    expect(text()).toContain(t('cap.other'));
  });
});

describe('the facts of a card', () => {
  // spec: 2.7.18, 3.29, 3.42
  it('counts cities, applications, successes and checks, and shows the time of the last check', async () => {
    const { card } = await show(task({ id: 'a' }));
    const figure = (key: TextKey) => plain(card.getAllByText(t(key), { selector: 'dt' })[0]?.nextElementSibling?.textContent);
    expect(figure('task.figCities')).toBe('3 cities');
    expect(figure('task.figApplications')).toBe('1 group');
    expect(figure('task.figSuccesses')).toBe('0 times');
    expect(figure('task.figLast')).toMatch(/^(\d{4}-\d\d-\d\d )?\d{1,2}:\d\d [AP]M ET \(\d[\d,]* checks\)$/);
    expect(card.getByText(t('task.figLast')).closest('dl')?.querySelectorAll('dt')).toHaveLength(4);
  });

  // spec: 4.2.16, 9.27
  it('updates the last check every 10 to 15 s while it runs, keeps it while paused, and shows N/A before the first', async () => {
    quick();
    const every = vi.spyOn(globalThis, 'setInterval');
    const { unmount } = await show(task({ id: 'a' }));
    const beats = every.mock.calls.map(([, ms]) => ms ?? 0);
    expect(beats.some((ms) => ms >= 10_000 && ms <= 15_000)).toBe(true);
    unmount();
    queryClient.clear();
    const paused = task({ id: 'b', status: 'stopped', status_reason: 'by_user' });
    paused.engine.last_check_at = '2026-03-02T15:04:00Z';
    const last = ({ card }: Awaited<ReturnType<typeof show>>) =>
      plain(card.getByText(t('task.figLast')).nextElementSibling?.textContent);
    const shown = await show(paused);
    expect(last(shown)).toMatch(/^2026-03-02 10:04 AM ET \(/);
    shown.unmount();
    queryClient.clear();
    const fresh = task({ id: 'c' });
    fresh.engine.last_check_at = null;
    expect(last(await show(fresh))).toBe('N/A');
  });

  // spec: 2.7.19, 3.28
  it('lists period, minimum advance, excluded days, cities and number', async () => {
    await i18next.changeLanguage('zh');
    const { card } = await show(task({ id: 'a' }));
    const params = task({ id: 'a' }).schedule_config.search_params;
    const value = (key: TextKey) => plain(card.getAllByText(t(key), { selector: 'dt' }).at(-1)?.nextElementSibling?.textContent);
    expect(value('task.period')).toBe(`${params.start_date} 至 ${params.end_date}`);
    expect(value('task.minDays')).toBe('7 天');
    expect(value('task.number')).toBe('58213407');
    await waitFor(() => expect(value('task.cities')).toBe('渥太华、多伦多、蒙特利尔'));
  });

  // spec: 2.7.27, 9.29
  it('cuts long excluded days at 45 characters, counts the rest and shows all in the tooltip', async () => {
    const one = structuredClone(task({ id: 'a' }));
    const days = ['2031-02-03', '2031-02-04', '2031-03-10', '2031-04-21'];
    one.schedule_config.search_params.excluded_dates = days.map((date) => ({ type: '', date }));
    const { card } = await show(one);
    const value = card.getByText(t('task.excluded'), { selector: 'dt' }).nextElementSibling as HTMLElement;
    const more = within(value).getByRole('button');
    const shown = plain(value.textContent).replace(plain(more.textContent), '');
    expect(shown.length).toBeLessThanOrEqual(45);
    expect(more.textContent).toBe('+1');
    fireEvent.mouseOver(more);
    const tip = await screen.findByRole('tooltip');
    expect(plain(tip.textContent).startsWith(shown)).toBe(true);
    expect(plain(tip.textContent).length).toBeGreaterThan(45);
  });

  // spec: 2.7.20, 3.41, 9.28
  it('shows the first two of four applications, and the number of others', async () => {
    const four = [1, 2, 3, 4].map((n) => appointment({ ivr_account_number: `1390447${n}`, applicant_names: [`Name ${n}`] }));
    const { card } = await show(task({ id: 'a', appointments: four }));
    expect(text()).toContain('IVR 13904471');
    expect(text()).toContain('IVR 13904472');
    expect(text()).not.toContain('IVR 13904473');
    expect(card.getByText('+2 more')).toBeTruthy();
    expect(card.getAllByText('3 reschedules left')).toHaveLength(2);
  });

  // spec: 2.7.22, 3.29
  it('lists bookings with their date and the days gained, and the deadline for changes', async () => {
    const { card } = await show(doneTask);
    const rows = card.getAllByRole('listitem').map((row) => plain(row.textContent));
    expect(rows[0]).toMatch(/^\d{4}-\d\d-\d\d .*60 days sooner$/);
    expect(rows[1]).toMatch(/99 days sooner$/);
    expect(text()).toContain('Official deadline to reschedule');
    expect(card.getByText(t('task.captured'))).toBeTruthy();
  });

  it('lists a booking with its fingerprint appointment', async () => {
    const history = doneTask.success_history.map((entry, at) => ({ ...entry, fingerprints: at === 0 ? fingerprints : null }));
    const { card } = await show({ ...doneTask, success_history: history });
    const rows = card.getAllByRole('listitem').map((row) => plain(row.textContent));
    expect(rows[0]).toMatch(/60 days soonerFingerprints: 2027-02-05 \(Fri\) 7:30 AM · Bogota$/);
    expect(rows[1]).not.toContain('Fingerprints');
  });

  // spec: 3.43
  it('opens the parts of the price, the uncharged amount, and the state of the login', async () => {
    const { card } = await show(task({ id: 'a' }));
    unfold(card);
    const value = (key: TextKey) => plain(card.getByText(t(key), { selector: 'dt' }).nextElementSibling?.textContent);
    expect(value('task.price')).toBe('38.00 × 2 applicants = 76.00 CAD');
    expect(value('task.original')).toBe('48.00 CAD each');
    expect(value('task.saved')).toBe('20.00 CAD · personal 10.00 each');
    expect(value('task.unpaid')).toBe('76.00 CAD');
    expect(value('task.account')).toContain(t('task.healthValid'));
    expect(value('task.lastSignIn')).toContain('3 times in ten hours');
    fireEvent.click(button(card, 'task.hide'));
    expect(value('task.price')).toBe('*** × 2 applicants = *** CAD');
  });

  it('opens automatically if the portal account has a problem, and shows the next attempt', async () => {
    const { card } = await show(oddTasks[0] as Task);
    expect(card.getByText(t('task.healthCooling'))).toBeTruthy();
    expect(card.getByText(t('task.nextTry')).nextElementSibling?.textContent).toMatch(/\d/);
  });

  it('links to the page of the task', async () => {
    const { card } = await show(task({ id: 'a' }));
    expect(card.getByRole('link', { name: t('task.details') }).getAttribute('href')).toBe('/schedule/a');
  });
});

describe('changing a task', () => {
  // spec: 2.7.11, 2.7.12, 2.7.21, 9.32
  it.each(['dialog', 'panel'])('in the %s saves, reloads the one task and highlights its card for about 2 s', async (where) => {
    quick();
    const { card, world, sent } = await show(task({ id: 'a' }));
    const scrolled = vi.fn();
    screen.getByRole('article').scrollIntoView = scrolled;
    fireEvent.click(button(card, where === 'dialog' ? 'task.edit' : 'task.change'));
    const editor = where === 'dialog' ? within(await screen.findByRole('dialog', { name: t('editor.title') })) : card;
    const days = await editor.findByRole('group', { name: t('editor.minDays') });
    fireEvent.click(within(days).getByRole('button', { name: '3' }));
    fireEvent.click(editor.getByRole('button', { name: t('editor.save') }));
    await waitFor(() => expect(world.tasks.get('a')?.schedule_config.search_params.minimum_days_from_current).toBe(3));
    await waitFor(() => expect(sent).toContain('GET /schedules/a/status'));
    await waitFor(() => expect(screen.getByRole('article').dataset.highlighted).toBe('true'));
    expect(scrolled).toHaveBeenCalled();
    expect(await card.findByText('3 days')).toBeTruthy();
    await pass(2_100);
    expect(screen.getByRole('article').dataset.highlighted).toBeUndefined();
  });

  // spec: 3.31
  it('names the task in the dialog by facility and login', async () => {
    const { card } = await show(task({ id: 'a' }));
    fireEvent.click(button(card, 'task.edit'));
    const dialog = within(await screen.findByRole('dialog', { name: t('editor.title') }));
    expect(dialog.getByText('Toronto · linzhixia@example.com')).toBeTruthy();
  });

  // spec: 2.7.21
  it('in the panel is discarded by Cancel', async () => {
    const { card, sent } = await show(task({ id: 'a' }));
    fireEvent.click(button(card, 'task.change'));
    const days = await card.findByRole('group', { name: t('editor.minDays') });
    expect(document.activeElement, 'the focus goes with what was pressed').toBe(
      card.getByRole('group', { name: t('editor.title') }),
    );
    expect(card.getByRole('heading', { name: t('editor.which'), level: 5 })).toBeTruthy();
    fireEvent.click(within(days).getByRole('button', { name: '3' }));
    fireEvent.click(button(card, 'editor.cancel'));
    expect(card.getByText('7 days')).toBeTruthy();
    expect(document.activeElement).toBe(button(card, 'task.change'));
    expect(sent.some((call) => call.startsWith('PUT'))).toBe(false);
  });
});

describe('a question', () => {
  const asks = () => {
    const one = task({ id: 'a' });
    const asked = { facility: 'Toronto', date: '2027-02-09', until: new Date(Date.now() + 90_000).toISOString() };
    one.engine.verdict = { ...one.engine.verdict, code: 'watching', evidence: { ...one.engine.verdict.evidence, asked } };
    return one;
  };

  it('is approved on its card, for the displayed date', async () => {
    const { card, bodies } = await show(asks());
    expect(card.getByText(t('condition.asked'))).toBeTruthy();
    fireEvent.click(await card.findByRole('button', { name: /^Yes, book this day: 2027-02-09, Toronto, / }));
    expect(await screen.findByText(t('condition.yesCounts'))).toBeTruthy();
    expect(bodies.get('POST /schedules/a/answer')).toEqual({ facility: 'Toronto', date: '2027-02-09' });
  });

  it('is replaced by the approval, until the engine reports a newer state', async () => {
    const { card, world } = await show(asks());
    fireEvent.click(await card.findByRole('button', { name: /^Yes, book this day/ }));
    await card.findByText(/^You said yes/);
    expect(text()).toMatch(/You said yes at \d{1,2}:\d\d [AP]M ET\. Booking 2027-02-09 in Toronto now/);
    expect(card.queryByRole('button', { name: /^Yes, book this day/ })).toBeNull();
    const one = world.tasks.get('a') as Task;
    one.engine.verdict = { ...one.engine.verdict, code: 'booking', since: new Date().toISOString() };
    one.version += 1;
    await act(() => reloadTask('a'));
    expect(await card.findByText(t('condition.booking'))).toBeTruthy();
    expect(card.queryByText(/^You said yes/)).toBeNull();
  });

  it('shows the applicants like the row: masked if names are hidden', async () => {
    const { card } = await show(asks());
    const yes = await card.findByRole('button', { name: /^Yes, book this day/ });
    expect(yes.getAttribute('aria-label')).toBe('Yes, book this day: 2027-02-09, Toronto, Lin Zhixia, Chen Yuhang');
    fireEvent.click(button(card, 'task.hide'));
    expect(yes.getAttribute('aria-label')).toBe('Yes, book this day: 2027-02-09, Toronto, L***, C***');
  });

  it('is shown in the closed row with the date, the time left and the approval button', async () => {
    const { sent } = fakeBackend('empty@example.com');
    const one = asks();
    renderAt(<TaskCard task={one} onDelete={vi.fn()} />);
    const card = within(await screen.findByRole('article'));
    expect(card.getByRole('button', { expanded: false, name: /^Task details/ })).toBeTruthy();
    expect((await card.findByRole('status')).textContent).toBe(
      t('condition.askedRow', { askedDate: '2027-02-09', askedCity: 'Toronto' }),
    );
    expect(card.getByText(/^1:[23]\d left to answer$/)).toBeTruthy();
    expect(card.getByText(t('task.asksYou'))).toBeTruthy();
    expect(card.queryByText(t('task.monitoring'))).toBeNull();
    fireEvent.click(await card.findByRole('button', { name: /^Yes, book this day: 2027-02-09, Toronto, / }));
    await waitFor(() => expect(sent).toContain('POST /schedules/a/answer'));
  });

  it('is declined in the closed row, with the focus on the card', async () => {
    const { bodies, world } = fakeBackend('empty@example.com');
    const one = asks();
    world.tasks.set(one.id, structuredClone(one));
    renderAt(<TaskCard task={one} onDelete={vi.fn()} />);
    const card = within(await screen.findByRole('article'));
    fireEvent.click(await card.findByRole('button', { name: /^No, not this day: 2027-02-09, Toronto, / }));
    expect(document.activeElement).toBe(card.getByRole('button', { name: /^Task details/ }));
    expect(await screen.findByText(t('condition.declined'))).toBeTruthy();
    expect(bodies.get('POST /schedules/a/answer')).toEqual({ facility: 'Toronto', date: '2027-02-09', answer: 'no' });
  });

  it('reports an approval that was late or failed', async () => {
    const { card, world, broken } = await show(asks());
    broken.add('POST /schedules/a/answer');
    fireEvent.click(await card.findByRole('button', { name: /^Yes, book this day: 2027-02-09, Toronto, / }));
    expect(await screen.findByText(t('problem.network'))).toBeTruthy();
    broken.clear();
    const { evidence } = (world.tasks.get('a') as Task).engine.verdict;
    if (evidence) evidence.asked = null;
    fireEvent.click(await card.findByRole('button', { name: /^Yes, book this day: 2027-02-09, Toronto, / }));
    expect(await screen.findByText(t('condition.yesTooLate'))).toBeTruthy();
  });
});

describe('the rating', () => {
  const won = { ...doneTask, id: 'a' };
  /** Renders the card of a booked task and waits for the rating prompt. */
  const openPrompt = async () => {
    const shown = await show(won);
    await shown.card.findByRole('button', { name: t('rating.notNow') });
    return shown;
  };

  it('is requested once after a booking, with stars and a comment', async () => {
    const { card, world, bodies } = await openPrompt();
    expect(card.queryByRole('button', { name: t('rating.send') })).toBeNull();
    const stars = card.getAllByRole('radio');
    expect(stars.filter((star) => (star as HTMLInputElement).value !== '')).toHaveLength(5);
    fireEvent.click(card.getByRole('radio', { name: '4 stars' }));
    fireEvent.change(card.getByLabelText(t('rating.comment')), { target: { value: ' Three weeks sooner. ' } });
    fireEvent.click(button(card, 'rating.send'));
    expect(await card.findByText('Your rating: 4 stars')).toBeTruthy();
    expect(bodies.get('POST /schedules/a/rating')).toEqual({ stars: 4, comment: 'Three weeks sooner.' });
    expect(world.tasks.get('a')?.rating?.stars).toBe(4);
    expect(card.queryByText(t('rating.ask'))).toBeNull();
  });

  it('may be dismissed, which counts as an answer', async () => {
    const { card, bodies } = await openPrompt();
    fireEvent.click(button(card, 'rating.notNow'));
    await waitFor(() => expect(card.queryByText(t('rating.ask'))).toBeNull());
    expect(bodies.get('POST /schedules/a/rating')).toEqual({ dismissed: true });
    expect(card.queryByText(/Your rating/)).toBeNull();
  });

  it('disappears if it was submitted in another window, and stays with a message if saving failed', async () => {
    const { card, world, broken } = await openPrompt();
    broken.add('POST /schedules/a/rating');
    fireEvent.click(card.getByRole('radio', { name: '5 stars' }));
    fireEvent.click(button(card, 'rating.send'));
    expect(await card.findByText(t('problem.network'))).toBeTruthy();
    broken.clear();
    const elsewhere = world.tasks.get('a') as Task;
    elsewhere.rating = { stars: 2, comment: null, rated_at: new Date().toISOString() };
    elsewhere.rating_wanted = false;
    fireEvent.click(button(card, 'rating.send'));
    await waitFor(() => expect(card.queryByText(t('rating.ask'))).toBeNull());
  });

  it('is not requested before a booking', async () => {
    const { card } = await show(task({ id: 'a' }));
    expect(card.queryByText(t('rating.ask'))).toBeNull();
  });
});
