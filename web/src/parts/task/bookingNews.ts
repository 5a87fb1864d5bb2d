import type { Task } from '../../shared/api/types.ts';

/** Age from which a booking is known to its owner anyway. */
const NEWS_MS = 3 * 86_400_000;
const KEY = 'sooner.bookings';
/** Limit that no user reaches. The oldest entries are dropped. */
const MOST_TASKS = 100;

/** Actions for a booking in this browser: notified by a toast, shown on the date line. */
type NewsAction = 'told' | 'shown';
/**
 * The handled bookings by task: the time of the newest booking per action. It outlives a sign-out,
 * so that an old booking is not reported again.
 */
type HandledBookings = Record<string, Partial<Record<NewsAction, string>>>;

/** Copy for the page's lifetime if storage is blocked or full. */
let memoryCopy: HandledBookings | null = null;

function read(): HandledBookings {
  if (memoryCopy) return memoryCopy;
  try {
    const done: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof done === 'object' && done !== null && !Array.isArray(done) ? (done as HandledBookings) : {};
  } catch {
    return {};
  }
}

function write(done: HandledBookings): void {
  const newest = Object.fromEntries(Object.entries(done).slice(-MOST_TASKS));
  try {
    localStorage.setItem(KEY, JSON.stringify(newest));
    memoryCopy = null;
  } catch {
    memoryCopy = newest;
  }
}

/** Returns the latest booking of a task. */
export const newestBooking = (task: Task) =>
  [...task.success_history].sort((a, b) => b.timestamp.localeCompare(a.timestamp))[0] ?? null;

/** Returns whether the newest booking of a task is new and still has an action left here. */
export function isNews(task: Task, action: NewsAction): boolean {
  const booking = newestBooking(task);
  return (
    booking !== null && Date.now() - Date.parse(booking.timestamp) < NEWS_MS && read()[task.id]?.[action] !== booking.timestamp
  );
}

/**
 * Claims an action. It returns true for exactly one caller among all tabs and loads of this
 * browser.
 */
export function claimNews(task: Task, action: NewsAction): boolean {
  const booking = newestBooking(task);
  if (!booking || !isNews(task, action)) return false;
  const { [task.id]: before, ...others } = read();
  write({ ...others, [task.id]: { ...before, [action]: booking.timestamp } });
  return true;
}
