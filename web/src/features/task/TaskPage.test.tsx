import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Frame } from '../../../mock/Frame.tsx';
import { handle } from '../../../mock/handler.ts';
import { answerCalls, answerFrom } from '../../../mock/wire.ts';
import { createWorld, seed } from '../../../mock/world.ts';
import { StepUpGate } from '../../parts/stepUp/StepUpGate.tsx';
import { forgetTask, reloadTask } from '../../parts/task/taskCache.ts';
import { modeTexts } from '../../parts/task/taskView.ts';
import { queryClient } from '../../shared/api/queries.ts';
import { acceptLogin, endSession } from '../../shared/api/session.ts';
import type { LoginAnswer, SeenCalendar } from '../../shared/api/types.ts';
import { saveFile } from '../../shared/browser/saveFile.ts';
import { dateInFull } from '../../shared/i18n/format.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Toaster } from '../../shared/ui/Toast.tsx';
import { toastManager } from '../../shared/ui/toastManager.ts';
import { BookingReceiptPage } from './BookingReceiptPage.tsx';
import { TaskPage } from './TaskPage.tsx';

vi.mock('../../shared/browser/saveFile.ts', () => ({ saveFile: vi.fn() }));

const chart = vi.hoisted(() => ({ broken: false }));
vi.mock('./EarliestChart.tsx', () => ({
  EarliestChart: ({ data }: { data: { series: { facility: string }[] } }) => {
    if (chart.broken) throw new Error('no chart');
    return <p>{`drawn: ${data.series.map((series) => series.facility).join(' ')}`}</p>;
  },
}));

const t = (key: TextKey, values: Record<string, unknown> = {}) => (i18next.t(key, values) as string).replaceAll('\u2060', '');
const plain = (element: Element | null | undefined) => element?.textContent?.replaceAll('\u2060', '') ?? '';

/** Fingerprint appointment in Bogota. */
const fingerprints = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };

interface Scene {
  email?: string;
  id?: string;
  path?: string;
  broken?: string[];
  /** Changes the fake backend before the page loads. */
  prepare?: (world: ReturnType<typeof createWorld>) => void;
}

/**
 * Renders the page with the fake backend. Requests fail if their path ends with a text in `broken`.
 */
function open({ email = 'linzhixia@example.com', id = '0193-on', path, broken: dead = [], prepare }: Scene = {}) {
  const world = createWorld();
  seed(world, email);
  prepare?.(world);
  const broken = new Set(dead);
  const sent: string[] = [];
  answerCalls((call) => {
    sent.push(call.line);
    return [...broken].some((end) => call.path.endsWith(end)) ? 'no network' : answerFrom(world, call);
  });
  acceptLogin({ access_token: 'a', refresh_token: 'r', user: { id: 'u1', username: email, email } } as LoginAnswer, true);
  const router = createMemoryRouter(
    [
      { path: '/schedule/:id', Component: TaskPage },
      { path: '/schedule/:id/receipt/:n', Component: BookingReceiptPage },
      { path: '*', element: <p>elsewhere</p> },
    ],
    { initialEntries: [path ?? `/schedule/${id}`] },
  );
  render(
    <Frame>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
        <StepUpGate />
        <Toaster />
      </QueryClientProvider>
    </Frame>,
  );
  return { world, broken, sent, router };
}

/**
 * Returns the topmost dialog. It searches by role without the name, because computing names is slow
 * on such a large page.
 */
const dialog = async (title: TextKey) =>
  within(
    await waitFor(() => {
      const open = [...document.querySelectorAll<HTMLElement>('[role="dialog"]')].at(-1);
      if (open?.querySelector('h2')?.textContent !== t(title)) throw new Error(`no dialog ${title}`);
      return open;
    }),
  );
const part = async (title: TextKey) => within(await screen.findByRole('region', { name: t(title) }));
const press = (scope: ReturnType<typeof within>, name: string | RegExp) => fireEvent.click(scope.getByRole('button', { name }));

// Tests render a page with hundreds of buttons. `defaultHidden` skips the slow computation of their
// visibility.
vi.setConfig({ testTimeout: 60_000 });
configure({ asyncUtilTimeout: 30_000, defaultHidden: true });

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  queryClient.clear();
  queryClient.setDefaultOptions({ queries: { retry: false, retryDelay: 0 } });
  chart.broken = false;
  vi.mocked(saveFile).mockClear();
});

afterEach(() => {
  toastManager.close();
  cleanup();
  endSession();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the page of a task', () => {
  // spec: 10.9.01
  it.each(['zh', 'en'])('shows in %s the applicants, the condition with its evidence, and every part', async (language) => {
    await i18next.changeLanguage(language);
    open();
    const names = language === 'zh' ? 'Lin Zhixia、Chen Yuhang' : 'Lin Zhixia, Chen Yuhang';
    expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe(names);
    expect(document.title).toContain(names);
    const head = screen.getByRole('region', { name: t('detail.now') });
    expect(within(head).getByText(t('condition.watching'))).toBeTruthy();
    expect(within(head).getByText(t('detail.tickBudget', { hour: 4, hourLimit: 6, ten: 19, tenLimit: 40 }))).toBeTruthy();
    for (const title of [
      'chart.title',
      'heat.title',
      'why.title',
      'journal.title',
      'rail.left',
      'rail.account',
      'rail.criteria',
      'rail.price',
      'rail.notifications',
      'rail.appointments',
    ] satisfies TextKey[])
      expect(screen.getByRole('region', { name: t(title) })).toBeTruthy();
    expect(await screen.findByText('drawn: Ottawa Toronto Montreal')).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/\{\{|detail\.|heat\.|journal\.|rail\./);
  });

  // spec: 10.9.01
  it('hides personal data on demand', async () => {
    open();
    fireEvent.click(await screen.findByRole('button', { name: t('task.hide') }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('L***, C***');
    const account = await part('rail.account');
    expect(account.getByText('l***@example.com')).toBeTruthy();
    expect((await part('rail.price')).queryByText(/38\.00/)).toBeNull();
    const journal = await part('journal.title');
    for (let older = journal.queryByText(t('journal.older')); older; older = journal.queryByText(t('journal.older'))) {
      const before = journal.getAllByRole('listitem').length;
      fireEvent.click(older);
      await waitFor(() => expect(journal.getAllByRole('listitem').length).toBeGreaterThan(before));
    }
    expect(journal.getByText(t('journal.submittedText', { held: '***' }))).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: t('task.show') }));
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Lin Zhixia, Chen Yuhang');
  });

  // spec: 10.9.01
  it.each(['zh', 'en'])('explains in %s beside a button why it is disabled, and offers the remedy', async (language) => {
    await i18next.changeLanguage(language);
    open({ email: 'states@example.com', id: '0193-rejected' });
    await screen.findByRole('heading', { level: 1 });
    const start = screen.getByRole('button', { name: t('task.start') }) as HTMLButtonElement;
    const why = document.getElementById(start.getAttribute('aria-describedby') ?? '');
    expect([start.disabled, plain(why)]).toEqual([true, t('cap.needs_new_password')]);
    press(within(screen.getByRole('region', { name: t('detail.now') })), t('condition.updatePassword'));
    expect((await dialog('condition.updatePassword')).getByText('hebowen@example.com')).toBeTruthy();
  });

  it('keeps scroll position and focus during a pause countdown and after its cancellation', async () => {
    open();
    const pause = await screen.findByRole('button', { name: t('task.pause') });
    act(() => pause.focus());
    fireEvent.click(pause);
    const undo = await screen.findByRole('button', { name: t('task.undo') });
    await waitFor(() => expect(document.activeElement).toBe(undo));
    expect(screen.queryByText(t('cap.countdown'))).toBeNull();
    expect((screen.getByRole('button', { name: t('detail.edit') }) as HTMLButtonElement).disabled).toBe(true);
    fireEvent.click(undo);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: t('task.pause') }));
  });

  // spec: 10.9.05
  it('names every cell of the heat map, moves by arrow keys and shows the reason', async () => {
    open();
    const map = await part('heat.title');
    const ottawa = within(await map.findByRole('group', { name: 'Ottawa' }));
    const cells = ottawa.getAllByRole('button');
    const stop = cells.filter((cell) => cell.tabIndex === 0);
    expect(stop).toHaveLength(1);
    const first = stop[0] as HTMLElement;
    const date = first.dataset.date ?? '';
    expect(first.getAttribute('aria-label')).toMatch(new RegExp(`^${dateInFull(date, 'en')}, seen \\d+ times?`));
    act(() => first.focus());
    expect(plain(await screen.findByRole('tooltip'))).toContain(`Ottawa ${date}`);
    fireEvent.keyDown(first, { key: 'ArrowRight' });
    const next = document.activeElement as HTMLElement;
    expect(next.dataset.date && next.dataset.date > date).toBe(true);
    expect([next.tabIndex, first.tabIndex]).toEqual([0, -1]);
    press(map, t('heat.laterMonths'));
    const later = within(map.getByRole('group', { name: 'Ottawa' })).getAllByRole('button');
    const outside = later.find((cell) => cell.dataset.in === 'false' && cell.dataset.level !== '0');
    act(() => outside?.focus());
    expect(plain(await screen.findByRole('tooltip'))).toContain('after your end date');
  });

  // spec: 10.9.05
  it('shows the map as a table with a reason for each date, in pages', async () => {
    const { world } = open();
    const map = await part('heat.title');
    const before = (await map.findAllByText(/\w{3} \d{4}$/))[0]?.textContent;
    press(map, t('heat.laterMonths'));
    expect(map.getAllByText(/\w{3} \d{4}$/)[0]?.textContent).not.toBe(before);
    press(map, t('detail.table'));
    const rows = within(map.getByRole('table')).getAllByRole('row');
    const { body } = handle(world, 'GET', '/schedules/0193-on/calendar', new URLSearchParams({ days: '90' }), {});
    const { cities } = (body as { data: SeenCalendar }).data;
    expect(rows).toHaveLength(1 + cities.flatMap((city) => city.days).length);
    expect(plain(rows.at(-1))).toMatch(/\d+ days after your end date, .*\./);
  });

  // spec: 10.9.05
  it('shows one city and one month on a phone, and the details of a pressed day', async () => {
    vi.stubGlobal('matchMedia', (query: string) => ({
      matches: query.includes('max-width:599'),
      media: query,
      addListener: () => undefined,
      removeListener: () => undefined,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    }));
    open();
    const map = await part('heat.title');
    expect(await map.findByRole('group', { name: 'Ottawa' })).toBeTruthy();
    expect(map.queryByRole('group', { name: 'Toronto' })).toBeNull();
    press(map, 'Toronto');
    const seen = within(map.getByRole('group', { name: 'Toronto' }));
    const cell = seen.getAllByRole('button')[3] as HTMLElement;
    fireEvent.click(cell);
    expect(plain(map.getAllByRole('status').at(-1))).toContain(cell.dataset.date);
    expect(cell.getAttribute('aria-pressed')).toBe('true');
  });

  // spec: 10.9.03
  it('offers the chart over 7, 30 and 90 days, also as a table, and as one if its code fails to load', async () => {
    const { sent } = open();
    const box = await part('chart.title');
    expect(await box.findByText(/^drawn/)).toBeTruthy();
    press(box, t('chart.days', { count: 7 }));
    await waitFor(() => expect(sent.some((call) => call.endsWith('/calendar?days=7'))).toBe(true));
    press(box, t('detail.table'));
    expect(
      within(box.getByRole('table'))
        .getAllByRole('columnheader')
        .map((head) => head.textContent),
    ).toEqual([t('chart.day'), 'Ottawa', 'Toronto', 'Montreal']);
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    chart.broken = true;
    press(box, t('detail.picture'));
    expect(await box.findByText(t('chart.broken'))).toBeTruthy();
    expect(box.getByRole('table')).toBeTruthy();
    chart.broken = false;
    press(box, t('problem.retry'));
    expect(await box.findByText(/^drawn/)).toBeTruthy();
  });

  // spec: 10.9.06
  it('lists why dates were not booked: the latest first, then all of them page by page', async () => {
    open();
    const why = await part('why.title');
    expect(await why.findAllByRole('listitem')).toHaveLength(6);
    expect(plain(why.getAllByRole('listitem')[1])).toContain(
      'We submitted 1.4 s after seeing it; the site said it was gone. No reschedule was used.',
    );
    press(why, t('why.all', { count: 42 }));
    expect(why.getAllByRole('listitem')).toHaveLength(20);
    press(why, t('why.more'));
    await waitFor(() => expect(why.getAllByRole('listitem')).toHaveLength(40));
    press(why, t('why.less'));
    expect(why.getAllByRole('listitem')).toHaveLength(6);
  });

  // spec: 10.9.07
  it('lists the journal by day, older pages on demand', async () => {
    open();
    const journal = await part('journal.title');
    const days = await journal.findAllByRole('heading', { level: 3 });
    // The newest poll was three minutes ago, which may be yesterday around midnight.
    expect(plain(days[0])).toMatch(new RegExp(`^(${t('detail.today')}|${t('detail.yesterday')}) \\d{4}-\\d\\d-\\d\\d$`));
    expect(days.map(plain).every((day) => /\d{4}-\d\d-\d\d$/.test(day))).toBe(true);
    const before = journal.getAllByRole('listitem').length;
    press(journal, t('journal.older'));
    await waitFor(() => expect(journal.getAllByRole('listitem').length).toBeGreaterThan(before));
    press(journal, t('journal.older'));
    expect(await journal.findByText(t('journal.start'))).toBeTruthy();
    expect(journal.queryByRole('button', { name: t('journal.older') })).toBeNull();
  });

  // spec: 10.9.08
  it.each([
    ['zh', '时间（ET）,至,事件,说明,次数', '登录成功,用您的账号登录，读取了预约'],
    ['en', 'Time (ET),Until,What,Details,Count', 'Signed in,With your account; your appointment was read'],
  ])('saves the whole journal as a table in %s', async (language, heads, row) => {
    await i18next.changeLanguage(language);
    const { world, sent } = open();
    const journal = await part('journal.title');
    await journal.findAllByRole('listitem');
    press(journal, t('journal.export'));
    await waitFor(() => expect(saveFile).toHaveBeenCalled());
    const [file, name] = vi.mocked(saveFile).mock.calls[0] ?? [];
    const text = (await file?.text())?.replace('\uFEFF', '') ?? '';
    expect(name).toMatch(/^sooner-journal-58213407-\d{4}-\d{2}-\d{2}\.csv$/);
    expect([text.split('\r\n')[0], text.includes(row)]).toEqual([heads, true]);
    // The file contains the whole journal, so its last line is the submission.
    expect(text.trim().split('\r\n').at(-1)).toContain(t('journal.submitted'));
    expect(world.tasks.size > 0 && sent.some((call) => call.includes('limit=100'))).toBe(true);
  });

  // spec: 10.9.10
  it('opens the editor with the suggested wider window', async () => {
    open();
    const criteria = await part('rail.criteria');
    fireEvent.click(await criteria.findByRole('button', { name: /^Widen to/ }));
    const dialog = within(await screen.findByRole('dialog'));
    const wider = plain(criteria.getByRole('button', { name: /^Widen to/, hidden: true })).replace('Widen to ', '');
    const end = (await dialog.findByLabelText(t('editor.end'))) as HTMLInputElement;
    expect(end.value).toBe(wider);
  });

  it('lists the condition for the fingerprint appointment', async () => {
    const prepare = (world: ReturnType<typeof createWorld>) => {
      const params = world.tasks.get('0193-on')?.schedule_config.search_params;
      if (params) params.fingerprints = { min_days_before: 1, max_days_before: null, cities: ['Montreal'] };
    };
    open({ prepare });
    const criteria = await part('rail.criteria');
    expect(await criteria.findByText('at least 1 day before the interview, in Montreal')).toBeTruthy();
    expect(criteria.getByText(t('task.fingerprints'))).toBeTruthy();
  });

  // spec: 10.9.10
  it.each(['ask', 'notify'] as const)('does not claim that a task rebooks if its mode is %s', async (mode) => {
    const { world } = open();
    const criteria = await part('rail.criteria');
    const entry = world.tasks.get('0193-on');
    if (!entry) throw new Error('no task');
    const config = { ...entry.schedule_config, booking_mode: mode };
    world.tasks.set(entry.id, { ...entry, version: entry.version + 1, schedule_config: config });
    await act(() => reloadTask(entry.id).then(() => undefined));
    expect(await criteria.findByText(t(modeTexts[mode]))).toBeTruthy();
  });

  // spec: 10.3.06
  it('says that it asks first for now if the booking form was not read yet', async () => {
    const { world } = open();
    const criteria = await part('rail.criteria');
    expect(criteria.queryByText(t('rail.asksForNow'))).toBeNull();
    const entry = world.tasks.get('0193-on');
    if (!entry) throw new Error('no task');
    const config = { ...entry.schedule_config, asks_first_for_now: true };
    world.tasks.set(entry.id, { ...entry, version: entry.version + 1, schedule_config: config });
    await act(() => reloadTask(entry.id).then(() => undefined));
    expect(await criteria.findByText(t('rail.asksForNow'))).toBeTruthy();
  });

  // spec: 10.9.11
  it('saves the appointment as a calendar file', async () => {
    open();
    press(await part('rail.appointments'), t('rail.calendar'));
    await waitFor(() => expect(saveFile).toHaveBeenCalled());
    const [file, name] = vi.mocked(saveFile).mock.calls[0] ?? [];
    expect([name, (await file?.text())?.startsWith('BEGIN:VCALENDAR')]).toEqual(['sooner-58213407.ics', true]);
  });

  // spec: 10.9.09
  it('verifies the portal login again, and deletes it after naming what stops and a proof', async () => {
    const { sent } = open();
    const account = await part('rail.account');
    press(account, t('rail.reverify'));
    expect((await dialog('condition.updatePassword')).getByText('linzhixia@example.com')).toBeTruthy();
    fireEvent.keyDown(document.querySelector('[role="dialog"]') as HTMLElement, { key: 'Escape' });
    fireEvent.click(account.getByText(t('rail.deletePassword')));
    press(await dialog('portalAccounts.deleteTitle'), t('portalAccounts.delete'));
    const proof = await dialog('stepUp.title');
    fireEvent.change(proof.getByLabelText(t('auth.password'), { selector: 'input' }), { target: { value: 'right1234' } });
    press(proof, t('stepUp.confirm'));
    expect(await screen.findByText(t('portalAccounts.deleted'))).toBeTruthy();
    expect(sent.filter((call) => call.startsWith('DELETE /user/credentials/'))).toHaveLength(2);
    expect(await account.findByText(t('rail.gone'))).toBeTruthy();
  });

  // spec: 10.9.13
  it('deletes with an undo, and opens the dashboard afterwards', async () => {
    const { world, router } = open();
    press(await part('rail.price'), t('rail.deleteTask'));
    expect(await screen.findByText(t('detail.deleting'))).toBeTruthy();
    fireEvent.click(await screen.findByRole('button', { name: t('task.undo') }));
    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
    expect(world.tasks.has('0193-on')).toBe(true);
    vi.useFakeTimers({ shouldAdvanceTime: true });
    press(await part('rail.price'), t('rail.deleteTask'));
    await act(() => vi.advanceTimersByTimeAsync(5_100));
    vi.useRealTimers();
    expect(await screen.findByText('elsewhere')).toBeTruthy();
    expect([world.tasks.has('0193-on'), router.state.location.pathname]).toEqual([false, '/dashboard']);
  });

  it('shows when each city was last polled successfully, the length of its list, and the next check', async () => {
    open();
    const cities = await part('rail.cities');
    const row = (name: string) => cities.getByText(name).parentElement?.textContent?.replaceAll('\u00a0', ' ') ?? '';
    expect(row('Toronto')).toContain(t('rail.cityChecked', { when: t('settings.minutesAgo', { count: 3 }) }));
    expect(row('Montreal')).toContain(t('rail.cityChecked', { when: t('settings.hoursAgo', { count: 1 }) }));
    expect(row('Montreal')).toContain(t('rail.cityNone'));
    expect(row('Ottawa')).toMatch(/earliest.*next/);
  });

  // spec: 10.9.13
  it.each(['zh', 'en'])('reports in %s a missing task, and one that was deleted elsewhere', async (language) => {
    await i18next.changeLanguage(language);
    open({ id: 'nope' });
    expect(await screen.findByText(t('editor.notFound'))).toBeTruthy();
    cleanup();
    const { world } = open();
    await screen.findByRole('heading', { level: 1 });
    world.tasks.delete('0193-on');
    act(() => forgetTask('0193-on'));
    expect(await screen.findByText(t('detail.deletedTitle'))).toBeTruthy();
    expect(screen.getByRole('link', { name: t('wizard.toDashboard') }).getAttribute('href')).toBe('/dashboard');
  });

  // spec: 10.9.14
  it('retries the page, and each failed part, by itself', async () => {
    const { broken } = open({ broken: ['/status', '/journal', '/seen'] });
    expect(await screen.findByText(t('editor.loadFailed'))).toBeTruthy();
    broken.delete('/status');
    fireEvent.click(screen.getByRole('button', { name: t('problem.retry') }));
    const why = await part('why.title');
    const journal = await part('journal.title');
    expect(await why.findByText(t('detail.partFailed'))).toBeTruthy();
    expect(await journal.findByText(t('detail.partFailed'))).toBeTruthy();
    expect(await (await part('heat.title')).findByRole('group', { name: 'Ottawa' })).toBeTruthy();
    broken.clear();
    press(why, t('problem.retry'));
    expect(await why.findAllByRole('listitem')).toHaveLength(6);
    expect(journal.getByText(t('detail.partFailed'))).toBeTruthy();
  });

  // spec: 10.9.14
  it.each(['zh', 'en'])('shows in %s what is empty and what will appear there', async (language) => {
    await i18next.changeLanguage(language);
    open({ email: 'states@example.com', id: '0193-first' });
    for (const textKey of ['chart.empty', 'heat.empty', 'why.empty', 'journal.empty'] satisfies TextKey[])
      expect(await screen.findByText(t(textKey))).toBeTruthy();
    expect(screen.queryByRole('button', { name: t('journal.export') })).toBeNull();
  });

  // spec: 10.9.14
  it('reloads the task and its parts when the task changes', async () => {
    const { world, sent } = open();
    await (await part('why.title')).findAllByRole('listitem');
    const entry = world.tasks.get('0193-on');
    if (!entry) throw new Error('no task');
    world.tasks.set(entry.id, { ...entry, version: entry.version + 1, engine: { ...entry.engine, checks: 4711 } });
    const asked = (end: string) => sent.filter((call) => call.includes(end)).length;
    const before = [asked('/seen'), asked('/journal'), asked('/calendar')];
    await act(() => reloadTask(entry.id).then(() => undefined));
    expect(await screen.findByText('4,711')).toBeTruthy();
    await waitFor(() =>
      expect([asked('/seen'), asked('/journal'), asked('/calendar')].every((now, at) => now > (before[at] ?? 0))).toBe(true),
    );
  });

  // spec: 10.9.12
  it('lists the bookings of a task with their receipts', async () => {
    open({ id: '0193-done' });
    const bookings = await part('rail.appointments');
    const links = bookings.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links).toEqual(['/schedule/0193-done/receipt/2', '/schedule/0193-done/receipt/1']);
    expect((await part('rail.price')).getByText(t('rail.pricePaid'), { exact: false })).toBeTruthy();
  });

  it('shows the fingerprint appointment beside the interview, in each booking, and in its receipt', async () => {
    const prepare = (world: ReturnType<typeof createWorld>) => {
      const done = world.tasks.get('0193-done');
      for (const one of [...(done?.appointments ?? []), ...(done?.success_history.slice(0, 1) ?? [])])
        one.fingerprints = fingerprints;
    };
    open({ id: '0193-done', prepare });
    const bookings = await part('rail.appointments');
    expect(bookings.getAllByText(/^Fingerprints: /).map(plain)).toHaveLength(2);
    const present = within(screen.getByRole('region', { name: t('detail.now') })).getByText(t('detail.present'));
    expect(plain(present.parentElement)).toMatch(/\sAMFingerprints: 2027-02-05 Bogota 7:30\sAM$/);
    cleanup();
    open({ path: '/schedule/0193-done/receipt/2', prepare });
    expect(plain(await screen.findByRole('article'))).toMatch(/FingerprintsFri, Feb 5, 2027 7:30\sAM Bogota/);
    cleanup();
    open({ path: '/schedule/0193-done/receipt/1', prepare });
    expect(plain(await screen.findByRole('article'))).not.toContain(t('stub.fingerprints'));
  });
});

describe('the receipt of a booking', () => {
  // spec: 10.9.12
  it.each(['zh', 'en'])('shows in %s what was booked and what was charged, to print', async (language) => {
    await i18next.changeLanguage(language);
    const print = vi.fn();
    vi.stubGlobal('print', print);
    open({ path: '/schedule/0193-done/receipt/1' });
    const sheet = await screen.findByRole('article', { name: t('stub.title') });
    for (const text of ['S-58190022-1', '58190022', '70220418', 'Zhao Mingyuan', '38.00 CAD', t('unit.days', { count: 99 })])
      expect(plain(sheet)).toContain(text);
    fireEvent.click(screen.getByRole('button', { name: t('stub.print') }));
    expect(print).toHaveBeenCalled();
  });

  // spec: 10.9.12
  it('says that a later booking cost nothing, and reports a missing receipt', async () => {
    open({ path: '/schedule/0193-done/receipt/2' });
    expect(plain(await screen.findByRole('article'))).toContain(t('stub.free', { currency: 'CAD' }));
    cleanup();
    open({ path: '/schedule/0193-done/receipt/3' });
    expect(await screen.findByText(t('stub.missing'))).toBeTruthy();
    expect(screen.getByRole('link', { name: t('stub.back') }).getAttribute('href')).toBe('/schedule/0193-done');
  });
});
