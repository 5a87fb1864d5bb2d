import type { Page } from '@playwright/test';
import type { Ready } from '../support/ready.ts';

const DAY_MS = 86_400_000;
/** Number of the facility at the portal. */
const TORONTO = 94;
const TORONTO_OTTAWA_MONTREAL = ['Toronto', 'Ottawa', 'Montreal'];

interface Envelope<T> {
  data: T;
}

/**
 * Returns the present time of the sandbox, which is ahead of the real time if its clock runs
 * faster.
 */
export async function portalNow(ready: Ready): Promise<Date> {
  const clock = (await (await fetch(`${ready.sandbox_url.replace(/\/$/, '')}/control/clock`)).json()) as { now: string };
  return new Date(clock.now);
}

/** Returns a function that sends API requests as the page's signed-in user. */
export async function apiOf(page: Page): Promise<<T>(method: string, path: string, data: unknown) => Promise<T>> {
  const token = await page.evaluate(() => localStorage.getItem('sooner.access') ?? '');
  const bearer = token.startsWith('"') ? (JSON.parse(token) as string) : token;
  return async <T>(method: string, path: string, data: unknown): Promise<T> => {
    const headers = { Authorization: `Bearer ${bearer}` };
    const response = await page.request.fetch(`/api/v1${path}`, { method, headers, data });
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
    return ((await response.json()) as Envelope<T>).data;
  };
}

/** Minimum gain in days that no date reaches, so that nothing is booked. */
const NEVER_DAYS = 365;

interface Found {
  schedules: { id: string; appointments: { schedule_id: string; selectable: boolean }[] }[];
}

type Call = Awaited<ReturnType<typeof apiOf>>;

/**
 * Reads the groups of a portal account, creates tasks for `count` of them, and returns the ids of
 * the tasks.
 */
async function watch(call: Call, ready: Ready, login: { username: string; password: string }, count: number, days: number) {
  const asked = { ...login, countryCode: 'en-ca', visaType: 'niv' };
  const found = await call<Found>('POST', '/schedules/verify-credentials', asked);
  const groups = found.schedules.filter((one) => one.appointments[0]?.selectable).slice(0, count);
  if (groups.length < count) throw new Error(`${groups.length} groups of ${login.username} can be watched, not ${count}`);
  const now = (await portalNow(ready)).getTime();
  const day = (after: number) => new Date(now + after * DAY_MS).toISOString().slice(0, 10);
  const search_params = {
    start_date: day(8),
    end_date: day(120),
    excluded_dates: [
      { type: '', date: day(40) },
      { type: '', date: day(41) },
    ],
    required_cities: TORONTO_OTTAWA_MONTREAL,
    minimum_days_from_current: 3,
    min_improvement_days: days,
  };
  for (const { id, appointments } of groups) {
    const selected_appointments = [{ schedule_id: appointments[0]?.schedule_id }];
    await call('POST', '/schedules/configure', { schedule_id: id, selected_appointments, search_params });
  }
  const schedule_ids = groups.map(({ id }) => id);
  await call('POST', '/schedules/submit', { schedule_ids });
  return schedule_ids;
}

/**
 * Creates a task for the demo's second portal account, and returns its id. By default the task
 * books nothing.
 */
export async function startWatcher(page: Page, ready: Ready, minImprovementDays = NEVER_DAYS): Promise<string> {
  const login = { username: ready.portal_username, password: ready.portal_password };
  const [task = ''] = await watch(await apiOf(page), ready, login, 1, minImprovementDays);
  return task;
}

/** Creates tasks that book nothing, for a new portal account, and tops up the balance for them. */
export async function startMany(page: Page, ready: Ready, count: number): Promise<void> {
  const call = await apiOf(page);
  const login = { username: 'many@example.com', password: 'Sunrise#2026' };
  const date = new Date((await portalNow(ready)).getTime() + 300 * DAY_MS).toISOString().slice(0, 10);
  const groups = Array.from({ length: count }, () => ({ appointment: { facility: TORONTO, date, time: '09:00' } }));
  const made = await page.request.post(`${ready.sandbox_url.replace(/\/$/, '')}/control/accounts`, {
    data: { ...login, groups },
  });
  if (!made.ok()) throw new Error(`no portal login: ${await made.text()}`);
  for (const code of ready.topup_codes) await call('POST', '/topup/use', { code });
  await watch(call, ready, login, count, NEVER_DAYS);
}
