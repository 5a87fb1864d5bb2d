import type { BookingMode, Task } from '../../shared/api/types.ts';

/** The date that a task asks its user about, and until when a yes counts. */
export type AskedDate = NonNullable<NonNullable<Task['engine']['verdict']['evidence']>['asked']>;

/** Returns the question of a task that still waits for an answer at `nowMs`. */
export function openQuestion(task: Task, nowMs: number): AskedDate | null {
  const asked = task.engine.verdict.evidence?.asked;
  return asked && Date.parse(asked.until) > nowMs ? asked : null;
}

/** What a task does with a date that suits now: one that books by itself asks until its portal's form was read once. */
export const modeNow = ({ schedule_config: { booking_mode, asks_first_for_now } }: Task): BookingMode =>
  asks_first_for_now ? 'ask' : booking_mode;

/** A date on the last list of a city, and when that list was read (RFC 3339). */
export interface ListedDate {
  date: string;
  facility: string;
  at: string | null;
}

/**
 * Finds the earliest date that a task wants on the last lists of its cities; the server sends dates in order. Dates seen earlier and gone since do not count: the city's
 * list begins with the date, or the date was confirmed by the list.
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
