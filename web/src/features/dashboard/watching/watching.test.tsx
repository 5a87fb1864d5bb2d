import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../../mock/kit.tsx';
import { city, price, task } from '../../../../mock/story.ts';
import { lastSubmission } from '../../../parts/task/lastSubmission.ts';
import { billingStore } from '../../../shared/api/billing.ts';
import type { QuietSetting } from '../../../shared/api/channels.ts';
import { answer, client } from '../../../shared/api/client.ts';
import { queryClient } from '../../../shared/api/queries.ts';
import type { BookingMode, Task } from '../../../shared/api/types.ts';
import { i18nReady } from '../../../shared/i18n/i18n.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';
import { WatchingNotice } from './WatchingNotice.tsx';

const t = (key: TextKey, values: Record<string, unknown> = {}) => i18next.t(key, values) as string;
const text = () => (document.body.textContent ?? '').replaceAll('\u2060', '').replaceAll('\u00a0', ' ');
const NOW = new Date('2026-11-29T22:00:00Z');

/** Returns a task that was just submitted. */
function fresh(mode: BookingMode, over: Partial<Task['engine']> = {}): Task {
  const one = task({ id: 'a', status: 'processing', price: price(1) });
  one.schedule_config.booking_mode = mode;
  Object.assign(one.engine, { checks: 0, next_check_at: null, cities: [] }, over);
  return one;
}

/** Renders the notice about a submitted task, with the user's quiet hours. */
async function show(one: Task, setting: Partial<QuietSetting> = {}) {
  fakeBackend('empty@example.com');
  const body = {
    quiet_from: null,
    quiet_to: null,
    zone: 'America/Toronto',
    questions_at_night: false,
    digest: 'off',
    ...setting,
  };
  await answer(client.PUT('/user/notifications', { body: body as QuietSetting }));
  lastSubmission.set([one.id]);
  renderAt(<WatchingNotice tasks={[one]} />);
  await screen.findByText(t('watching.title', { count: 1 }));
  await waitFor(() => expect(text()).toMatch(/quiet hours|messages about dates seen|免打扰|通知会推迟/));
}

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  vi.useFakeTimers({ shouldAdvanceTime: true, now: NOW });
  localStorage.clear();
  queryClient.clear();
  billingStore.set(true);
});

afterEach(() => {
  lastSubmission.set(null);
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// spec: 10.1.22
it.each([
  ['auto', {}, ['A date that fits is booked at once', 'You have set no quiet hours'], ['We also ask']],
  ['ask', {}, ['We also ask you at night'], ['booked at once']],
  [
    'ask',
    { quiet_from: '22:00', quiet_to: '07:00' },
    ['we do not ask you, and the dates of that time pass', 'From 10:00 PM to 7:00 AM (Eastern Time)'],
    ['We also ask'],
  ],
  [
    'ask',
    { quiet_from: '22:00', quiet_to: '07:00', questions_at_night: true },
    ['We also ask you at night', 'From 10:00 PM'],
    [],
  ],
  ['notify', {}, ['only if you take a date we told you of'], ['booked at once', 'We also ask']],
] as const)('a submitted task in mode %s (%o) shows what happens at night', async (mode, setting, shown, missing) => {
  await show(fresh(mode), setting);
  for (const part of shown) expect(text()).toContain(part);
  for (const part of missing) expect(text()).not.toContain(part);
});

// spec: 10.1.22
it('shows the first check, then the next one and the longest wait of a city', async () => {
  await show(fresh('auto'));
  expect(text()).toContain(t('watching.first'));
  cleanup();
  const cities = [city('Toronto', { checked_within_seconds: 10_800 }), city('Ottawa', { checked_within_seconds: 7_200 })];
  await show(fresh('auto', { checks: 3, next_check_at: '2026-11-29T22:11:00Z', cities }));
  expect(text()).toContain('The next check is at 5:11 PM ET.');
  expect(text()).toContain('Each city is checked at least every 3 hours.');
  cleanup();
  await show(fresh('auto', { checks: 3 }));
  expect(text()).toContain(t('watching.due'));
});

// spec: 10.1.22
it('shows the amount on hold and when it is charged, and nothing about prices without billing', async () => {
  await show(fresh('auto'));
  expect(text()).toContain('38.00 CAD are on hold. They are charged only when a date is booked.');
  expect(text()).toContain('Press Pause on the task.');
  cleanup();
  billingStore.set(false);
  await show(fresh('auto'));
  expect(text()).not.toMatch(/CAD|hold|charged|Price/);
});

it('disappears when the user closes it, and shows no task that is not running', async () => {
  await show(fresh('auto'));
  fireEvent.click(screen.getByRole('button', { name: t('watching.close') }));
  expect(screen.queryByText(t('watching.title', { count: 1 }))).toBeNull();
  lastSubmission.set(['a']);
  cleanup();
  renderAt(<WatchingNotice tasks={[{ ...fresh('auto'), status: 'stopped' }]} />);
  expect(screen.queryByText(t('watching.title', { count: 1 }))).toBeNull();
});
