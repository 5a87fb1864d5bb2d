import type { Task } from '../../shared/api/types.ts';

/** Date in the last list of a city, and the time at which that list was requested (RFC 3339). */
export interface ListedDate {
  date: string;
  facility: string;
  at: string | null;
}

/**
 * Returns whether the last list of a city contains a date, with the time of that list. Returns null
 * if there is no list. The list itself is not known: a date must be the first of its city, or the
 * last list must have confirmed it.
 */
function inLastList(
  { seen_dates, engine: { cities } }: Task,
  { date, facility }: Pick<ListedDate, 'date' | 'facility'>,
): { listed: boolean; at: string } | null {
  const city = cities.find((one) => one.facility === facility);
  if (!city || city.listed_at === null) return null;
  const { earliest_listed: first, listed_at: at } = city;
  const seen = seen_dates.find((one) => one.facility === facility && one.date === date);
  const confirmed = first !== null && date > first && seen !== undefined && Date.parse(seen.last_seen_at) >= Date.parse(at);
  return { listed: date === first || confirmed, at };
}

/**
 * Returns the earliest matching date in the last lists of the task's cities, or null. Dates that
 * have disappeared since are ignored. The server sorts the dates.
 */
export function listedWanted(task: Task): ListedDate | null {
  for (const { date, facility, wanted } of task.seen_dates) {
    const last = wanted ? inLastList(task, { date, facility }) : null;
    if (last?.listed) return { date, facility, at: last.at };
  }
  return null;
}
