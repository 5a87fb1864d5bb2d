import type { Task } from '../../shared/api/types.ts';

/** Age from which a booking is no longer news. */
const NEWS_MS = 3 * 86_400_000;
const KEY = 'sooner.bookings';
/** Maximum number of stored tasks. The oldest entries are deleted. */
const MOST_TASKS = 100;

/** Action for a new booking: `told` is the toast, `shown` is the animation of the date line. */
type NewsAction = 'told' | 'shown';
/**
 * Times of the bookings for which each action was done, by task id. The data survives a sign-out,
 * so that old bookings are not announced again.
 */
type HandledBookings = Record<string, Partial<Record<NewsAction, string>>>;

/** Copy in memory, if storage is blocked or full. */
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

/**
 * Returns whether the newest booking of a task is recent and this browser has not done `action` for
 * it yet.
 */
export function isNews(task: Task, action: NewsAction): boolean {
  const booking = newestBooking(task);
  return (
    booking !== null && Date.now() - Date.parse(booking.timestamp) < NEWS_MS && read()[task.id]?.[action] !== booking.timestamp
  );
}

/**
 * Records that `action` is done for the newest booking of a task. Returns true only for the first
 * caller in this browser.
 */
export function claimNews(task: Task, action: NewsAction): boolean {
  const booking = newestBooking(task);
  if (!booking || !isNews(task, action)) return false;
  const { [task.id]: before, ...others } = read();
  write({ ...others, [task.id]: { ...before, [action]: booking.timestamp } });
  return true;
}
