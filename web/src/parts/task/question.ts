import type { BookingMode, Task } from '../../shared/api/types.ts';

/** The date of a task's question, and the deadline of an approval. */
export type AskedDate = NonNullable<NonNullable<Task['engine']['verdict']['evidence']>['asked']>;

/** Returns the question of a task that is still open at `nowMs`. */
export function openQuestion(task: Task, nowMs: number): AskedDate | null {
  const asked = task.engine.verdict.evidence?.asked;
  return asked && Date.parse(asked.until) > nowMs ? asked : null;
}

/**
 * Returns what a task does with a suitable date now. An automatic task asks first until its
 * portal's form was read once.
 */
export const modeNow = ({ schedule_config: { booking_mode, asks_first_for_now } }: Task): BookingMode =>
  asks_first_for_now ? 'ask' : booking_mode;

/** A date on the last list of a city, and when that list was read (RFC 3339). */
export interface ListedDate {
  date: string;
  facility: string;
  at: string | null;
}

/**
 * Finds the earliest date that a task wants on the last lists of its cities. The server sends dates
 * in order. Vanished dates do not count: the date must head the city's list or be confirmed by the
 * list.
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
