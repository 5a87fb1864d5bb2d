import type { SeenCalendar, SeenCity, SeenDay } from '../../shared/api/types.ts';
import { addDays, addMonths, type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import type { DayRange } from '../../shared/format/excludedDates.ts';

/**
 * Minimum number of sightings for each colour level of the heat map. A sighting is one poll that
 * showed the date.
 */
const heatLevels = [0, 1, 4, 11, 31] as const;

/** Texts of the ranges for the legend: `0`, `1-3`, …, `31+`. */
export const heatRanges = heatLevels.map((from, level) => {
  const next = heatLevels[level + 1];
  if (next === undefined) return `${from}+`;
  return next - from === 1 ? `${from}` : `${from}-${next - 1}`;
});

/** Cell of the heat map: one date in one city. */
export interface HeatCell {
  date: CivilDate;
  /** Number of polls that showed the date. */
  times: number;
  level: 0 | 1 | 2 | 3 | 4;
  inWindow: boolean;
  excluded: boolean;
  booked: boolean;
  seen: SeenDay | null;
}

/** One month of one city. `blanks` is the number of empty columns before its first day. */
export interface HeatMonth {
  month: CivilDate;
  blanks: number;
  cells: HeatCell[];
}

/** Data that all cities of a task's heat map share. */
export interface HeatFacts {
  window: DayRange;
  excluded: DayRange[];
  /** Accepted weekdays, 1 (Monday) to 7. An empty list accepts all. */
  weekdays: number[];
  booked: SeenCalendar['booked'];
  weekends: boolean;
}

/** Returns the colour level for a number of sightings. */
export function heatLevel(times: number): HeatCell['level'] {
  const above = heatLevels.findIndex((from) => times < from);
  return (above === -1 ? 4 : above - 1) as HeatCell['level'];
}

/** Returns the weekday of a date, where Monday is 0. */
export function weekdayIndex(date: CivilDate): number {
  return ((daysBetween('1970-01-05', date) % 7) + 7) % 7;
}

const onWeekend = (date: CivilDate) => weekdayIndex(date) > 4;

/** Returns whether any seen date is on a weekend. Otherwise the map has no columns for weekends. */
export function weekendsSeen(cities: SeenCity[]): boolean {
  return cities.some((city) => city.days.some((day) => onWeekend(day.date)));
}

const monthOf = (date: CivilDate) => `${date.slice(0, 7)}-01`;

/**
 * Returns the months of the heat map: those of the window, of every seen date, and of the booked
 * date.
 */
export function heatMonths(calendar: Pick<SeenCalendar, 'cities' | 'booked'>, window: DayRange): CivilDate[] {
  const dates = [
    window.start,
    window.end,
    ...calendar.cities.flatMap((city) => city.days.map((day) => day.date)),
    ...(calendar.booked ? [calendar.booked.date] : []),
  ].sort();
  const [first, last] = [monthOf(dates[0] ?? ''), monthOf(dates.at(-1) ?? '')];
  const months: CivilDate[] = [];
  for (let month = first; month <= last; month = addMonths(month, 1)) months.push(month);
  return months;
}

/**
 * Returns the index of the first month on a page of `size` months that contains `wanted`. The page
 * does not extend beyond the last month.
 */
export function pageStart(months: CivilDate[], wanted: CivilDate, size: number): number {
  const at = months.indexOf(monthOf(wanted));
  return Math.max(0, Math.min(at === -1 ? 0 : at, months.length - size));
}

/** Returns the date inside the window that was seen most recently in a city. */
const newestInside = (city: SeenCity | undefined, window: DayRange): SeenDay | undefined =>
  city?.days
    .filter((day) => window.start <= day.date && day.date <= window.end)
    .sort((a, b) => b.last_seen_at.localeCompare(a.last_seen_at))[0];

/**
 * Returns the city that the heat map shows first: the one with the most recent sighting inside the
 * window, else the first one.
 */
export function openingCity(cities: SeenCity[], window: DayRange): SeenCity | undefined {
  const seenAt = (city: SeenCity) => newestInside(city, window)?.last_seen_at ?? '';
  return cities.reduce<SeenCity | undefined>((best, city) => (best && seenAt(best) >= seenAt(city) ? best : city), undefined);
}

/**
 * Returns a date in the month that a phone shows first. It is the date inside the window that was
 * seen most recently, else the start of the window.
 */
export function openingMonth(city: SeenCity | undefined, window: DayRange): CivilDate {
  return newestInside(city, window)?.date ?? window.start;
}

const isExcluded = (date: CivilDate, { excluded, weekdays }: HeatFacts) =>
  excluded.some((range) => range.start <= date && date <= range.end) ||
  (weekdays.length > 0 && !weekdays.includes(weekdayIndex(date) + 1));

/** Returns the cells of one month of one city. */
export function heatMonth(month: CivilDate, city: SeenCity, facts: HeatFacts): HeatMonth {
  const bySeen = new Map(city.days.map((day) => [day.date, day]));
  const cells: HeatCell[] = [];
  for (let date = month; date < addMonths(month, 1); date = addDays(date, 1)) {
    if (!facts.weekends && onWeekend(date)) continue;
    const seen = bySeen.get(date) ?? null;
    cells.push({
      date,
      times: seen?.times ?? 0,
      level: heatLevel(seen?.times ?? 0),
      inWindow: facts.window.start <= date && date <= facts.window.end,
      excluded: isExcluded(date, facts),
      booked: facts.booked?.date === date && facts.booked.facility === city.facility,
      seen,
    });
  }
  return { month, blanks: cells[0] ? weekdayIndex(cells[0].date) : 0, cells };
}

/**
 * Returns the date to which a key moves the focus: a day or a week away, or an end of the displayed
 * range. Returns null for other keys and beyond the ends.
 */
export function stepFrom(date: CivilDate, key: string, shown: CivilDate[]): CivilDate | null {
  const at = shown.indexOf(date);
  if (key === 'Home') return shown[0] ?? null;
  if (key === 'End') return shown.at(-1) ?? null;
  if (key === 'ArrowLeft') return shown[at - 1] ?? null;
  if (key === 'ArrowRight') return shown[at + 1] ?? null;
  const weeks = { ArrowUp: -7, ArrowDown: 7 }[key];
  if (weeks === undefined) return null;
  const target = addDays(date, weeks);
  return shown.includes(target) ? target : null;
}
