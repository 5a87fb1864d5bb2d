import type { Page } from '@playwright/test';
import type { Ready } from '../support/ready.ts';

const DAY_MS = 86_400_000;
const TORONTO_OTTAWA_MONTREAL = ['Toronto', 'Ottawa', 'Montreal'];

interface Envelope<T> {
  data: T;
}

/** The world's present: with a demo of many times the speed it runs ahead of ours. */
export async function portalNow(ready: Ready): Promise<Date> {
  const clock = (await (await fetch(`${ready.sandbox_url.replace(/\/$/, '')}/control/clock`)).json()) as { now: string };
  return new Date(clock.now);
}

/** The API as the person who is signed in on the page. */
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

/** More than there is to gain: everything is seen, nothing is booked. */
const NEVER_DAYS = 365;

/** Lets the demo's second portal login watch a window, by default one in which nothing is wanted enough to be booked; the task's id. */
export async function startWatcher(page: Page, ready: Ready, minImprovementDays = NEVER_DAYS): Promise<string> {
  const call = await apiOf(page);
  const login = { username: ready.portal_username, password: ready.portal_password, countryCode: 'en-ca', visaType: 'niv' };
  const found = await call<{ schedules: { id: string; appointments: { schedule_id: string; selectable: boolean }[] }[] }>(
    'POST',
    '/schedules/verify-credentials',
    login,
  );
  const group = found.schedules.find((one) => one.appointments[0]?.selectable);
  if (!group) throw new Error('no group of the second login can be watched');
  const now = (await portalNow(ready)).getTime();
  const day = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  await call('POST', '/schedules/configure', {
    schedule_id: group.id,
    selected_appointments: [{ schedule_id: group.appointments[0]?.schedule_id }],
    search_params: {
      start_date: day(8),
      end_date: day(120),
      excluded_dates: [
        { type: '', date: day(40) },
        { type: '', date: day(41) },
      ],
      required_cities: TORONTO_OTTAWA_MONTREAL,
      minimum_days_from_current: 3,
      min_improvement_days: minImprovementDays,
    },
  });
  await call('POST', '/schedules/submit', { schedule_ids: [group.id] });
  return group.id;
}
