import type { Task } from '../../shared/api/types.ts';

/** A booking older than this is known, wherever its owner heard of it. */
const NEWS_MS = 3 * 86_400_000;
const KEY = 'sooner.bookings';
/** More tasks than anybody has; the oldest give way. */
const MOST_TASKS = 100;

/** What was done of a booking in this browser: told in a toast, shown on the date line. */
type Deed = 'told' | 'shown';
/** By task: when the newest booking was made of which it was done. It outlives a sign-out, after which nothing is news again. */
type Done = Record<string, Partial<Record<Deed, string>>>;

/** Holds it where storage is blocked or full, as long as the page lasts. */
let held: Done | null = null;

function read(): Done {
  if (held) return held;
  try {
    const done: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return typeof done === 'object' && done !== null && !Array.isArray(done) ? (done as Done) : {};
  } catch {
    return {};
  }
}

function write(done: Done): void {
  const newest = Object.fromEntries(Object.entries(done).slice(-MOST_TASKS));
  try {
    localStorage.setItem(KEY, JSON.stringify(newest));
    held = null;
  } catch {
    held = newest;
  }
}

/** The booking a task made last. */
export const newestBooking = (task: Task) =>
  [...task.success_history].sort((a, b) => b.timestamp.localeCompare(a.timestamp))[0] ?? null;

/** Whether the newest booking of a task is news of which something is still to be done here. */
export function isNews(task: Task, deed: Deed): boolean {
  const booking = newestBooking(task);
  return (
    booking !== null && Date.now() - Date.parse(booking.timestamp) < NEWS_MS && read()[task.id]?.[deed] !== booking.timestamp
  );
}

/** Takes it on: true for one caller of all tabs and loads of this browser. */
export function claimNews(task: Task, deed: Deed): boolean {
  const booking = newestBooking(task);
  if (!booking || !isNews(task, deed)) return false;
  const { [task.id]: before, ...others } = read();
  write({ ...others, [task.id]: { ...before, [deed]: booking.timestamp } });
  return true;
}
