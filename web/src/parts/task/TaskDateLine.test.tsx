import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fakeBackend, renderAt } from '../../../mock/kit.tsx';
import { task } from '../../../mock/story.ts';
import { book } from '../../../mock/tasks.ts';
import type { Task } from '../../shared/api/types.ts';
import { i18nReady } from '../../shared/i18n/i18n.ts';
import { toastManager } from '../../shared/ui/toastManager.ts';
import { TaskDateLine } from './TaskDateLine.tsx';
import { useBookingNews } from './useAnnounceBooking.ts';

const saved = vi.hoisted(() => vi.fn());
vi.mock('../../shared/browser/saveFile.ts', () => ({ saveFile: saved }));

// Loads the code before a test uses fake timers. A test that ends during the load would block all
// later tests.
beforeAll(() => Promise.all([import('./announceBooking.ts'), import('../../shared/ui/toastManager.ts')]));

beforeEach(async () => {
  await i18nReady;
  await i18next.changeLanguage('en');
  localStorage.clear();
  saved.mockClear();
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue({ top: 10, bottom: 80, height: 70 } as DOMRect);
  vi.useFakeTimers({ shouldAdvanceTime: true });
});

afterEach(() => {
  toastManager.close();
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Shown({ one }: { one: Task }) {
  useBookingNews(one);
  return <TaskDateLine task={one} />;
}

/** Returns a task with a new booking, in the fake backend. */
function booked() {
  const { world } = fakeBackend('empty@example.com');
  world.tasks.set('a', task({ id: 'a' }));
  book(world, 'a');
  return world.tasks.get('a') as Task;
}

const show = (one: Task) => renderAt(<Shown one={one} />);
const drawn = () => document.querySelector('[data-drawn]') !== null;
const gained = () => Number(/(\d+) days sooner/.exec(document.querySelector('[role="img"]')?.textContent ?? '')?.[1]);
const whole = (one: Task) => one.success_history[0]?.daysAdvanced;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

// spec: 10.1.19
it('animates the move of a new booking, and counts its days up', async () => {
  const one = booked();
  show(one);
  expect(drawn()).toBe(true);
  expect(gained()).toBeLessThan(whole(one) as number);
  await pass(1_200);
  expect(gained()).toBe(whole(one));
});

// spec: 10.1.19
it('animates it once, however often the page is loaded, and then the next booking', async () => {
  const one = booked();
  show(one).unmount();
  const { unmount } = show(one);
  expect(drawn()).toBe(false);
  expect(gained(), 'whole at once').toBe(whole(one));
  unmount();
  const next = {
    ...one,
    success_history: [{ ...one.success_history[0], timestamp: new Date(Date.now() + 1_000).toISOString() }],
  } as Task;
  show(next);
  expect(drawn()).toBe(true);
});

it('waits until the date line is visible', () => {
  let seen: IntersectionObserverCallback = () => undefined;
  class Watch {
    constructor(callback: IntersectionObserverCallback) {
      seen = callback;
    }
    observe() {}
    disconnect() {}
  }
  vi.stubGlobal('IntersectionObserver', Watch);
  vi.mocked(Element.prototype.getBoundingClientRect).mockReturnValue({ top: 4_000, bottom: 4_070, height: 70 } as DOMRect);
  const one = booked();
  show(one);
  expect([drawn(), gained()]).toEqual([false, whole(one)]);
  act(() => seen([{ isIntersecting: true } as IntersectionObserverEntry], {} as IntersectionObserver));
  expect(drawn()).toBe(true);
});

it('does not animate with reduced motion', () => {
  vi.spyOn(window, 'matchMedia').mockReturnValue({ matches: true } as MediaQueryList);
  const one = booked();
  show(one);
  expect(gained()).toBe(whole(one));
});

it('does not announce a booking of the previous week', () => {
  const one = booked();
  const old = new Date(Date.now() - 7 * 86_400_000).toISOString();
  show({ ...one, success_history: [{ ...one.success_history[0], timestamp: old }] } as Task);
  expect(drawn()).toBe(false);
  expect(screen.queryByText(/^Booked: Ottawa /)).toBeNull();
});

it('announces the fingerprint appointment with the interview', async () => {
  const one = booked();
  const fingerprints = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };
  show({ ...one, success_history: [{ ...one.success_history[0], fingerprints }] } as Task);
  const toast = await screen.findByText(/^Booked: Ottawa .* days sooner\sFingerprints: /);
  expect(toast.textContent?.replaceAll('\u2060', '').replaceAll('\u00a0', ' ')).toMatch(
    /sooner\nFingerprints: 2027-02-05 \(Fri\) 7:30 AM · Bogota$/,
  );
});

// spec: 10.1.19
it('announces it once, with links to the task and the calendar, and long enough to use them', async () => {
  const one = booked();
  const { router, unmount } = show(one);
  expect(await screen.findByText(/^Booked: Ottawa .* days sooner$/)).toBeTruthy();
  expect(screen.getByRole('region', { name: 'Messages' }).getAttribute('aria-live')).toBe('polite');
  await pass(15_000);
  fireEvent.click(screen.getByRole('button', { name: i18next.t('toast.calendar') }));
  vi.useRealTimers();
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
  expect(saved.mock.calls[0]?.[1]).toBe('sooner-58213407.ics');
  unmount();
  toastManager.close();
  show(one);
  expect(screen.queryByText(/^Booked: Ottawa /)).toBeNull();
  expect(router.state.location.pathname).toBe('/dashboard');
});
