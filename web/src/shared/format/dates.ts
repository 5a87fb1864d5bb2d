const DAY_MS = 86_400_000;

/**
 * Calendar date as YYYY-MM-DD, such as the date of an appointment at its consulate. It is not an
 * instant and has no time zone.
 */
export type CivilDate = string;

const toDays = (date: CivilDate) => Math.round(Date.parse(`${date}T00:00:00Z`) / DAY_MS);

/** Returns the date `days` after `date`. A negative number returns an earlier date. */
export function addDays(date: CivilDate, days: number): CivilDate {
  return new Date((toDays(date) + days) * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the number of days from `from` to `to`, negative if `to` is earlier. */
export function daysBetween(from: CivilDate, to: CivilDate): number {
  return toDays(to) - toDays(from);
}

/**
 * Returns the same day of the month `months` later, or the last day of that month if it is shorter.
 */
export function addMonths(date: CivilDate, months: number): CivilDate {
  const [year = 1970, month = 1, day = 1] = date.split('-').map(Number);
  const lastDay = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** Time zone in which the server counts days. */
export const REPORTING_ZONE = 'America/Toronto';

/**
 * Returns the date in a zone at a moment. An older browser may not know the zone. The date is then
 * that of the reporting zone. `useToday` returns the date at a consulate.
 */
export function civilToday(nowMs: number, zone = REPORTING_ZONE): CivilDate {
  try {
    // Swedish dates are written YYYY-MM-DD.
    return new Date(nowMs).toLocaleDateString('sv-SE', { timeZone: zone });
  } catch {
    return civilToday(nowMs);
  }
}

/** Returns whether `text` is a real date written YYYY-MM-DD. */
export function isCivilDate(text: string | null | undefined): text is CivilDate {
  if (!text || !/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text;
}

/** Returns the first day of every month between two dates, without the two dates. */
export function monthStarts(from: CivilDate, to: CivilDate): CivilDate[] {
  const starts: CivilDate[] = [];
  for (let next = addMonths(`${from.slice(0, 7)}-01`, 1); next < to; next = addMonths(next, 1)) starts.push(next);
  return starts;
}
