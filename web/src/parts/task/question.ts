import type { BookingMode, Task } from '../../shared/api/types.ts';

/** Date of a task's question, and the deadline for its approval. */
export type AskedDate = NonNullable<NonNullable<Task['engine']['verdict']['evidence']>['asked']>;

/** Returns the question of a task if it is still open at `nowMs`. */
export function openQuestion(task: Task, nowMs: number): AskedDate | null {
  const asked = task.engine.verdict.evidence?.asked;
  return asked && Date.parse(asked.until) > nowMs ? asked : null;
}

/**
 * Returns the present reaction of a task to a matching date. A task in automatic mode asks first
 * until the engine has read the portal's booking form once.
 */
export const modeNow = ({ schedule_config: { booking_mode, asks_first_for_now } }: Task): BookingMode =>
  asks_first_for_now ? 'ask' : booking_mode;

/** Date in the last list of a city, and the time at which that list was requested (RFC 3339). */
export interface ListedDate {
  date: string;
  facility: string;
  at: string | null;
}

/**
 * Returns the earliest matching date in the last lists of the task's cities, or null. Dates that
 * have disappeared since are ignored: a date must be the first of its city, or the last list must
 * contain it. The server sorts the dates.
 */
export function listedWanted({ seen_dates, engine: { cities } }: Task): ListedDate | null {
  for (const { date, facility, wanted, last_seen_at } of seen_dates) {
    const city = wanted && cities.find((one) => one.facility === facility);
    if (!city || city.earliest_listed === null || city.listed_at === null) continue;
    const confirmed = date > city.earliest_listed && Date.parse(last_seen_at) >= Date.parse(city.listed_at);
    if (date === city.earliest_listed || confirmed) return { date, facility, at: city.listed_at };
  }
  return null;
}
