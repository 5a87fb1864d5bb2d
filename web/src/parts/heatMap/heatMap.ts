import type { SeenCalendar, SeenCity, SeenDay } from '../../shared/api/types.ts';
import { addDays, addMonths, type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import type { DayRange } from '../../shared/format/excludedDates.ts';

/** How often a date must have been seen for each level of the map; nothing else says so. */
const heatLevels = [0, 1, 4, 11, 31] as const;

/** The numbers of times of each level, as the legend says them: `0`, `1-3`, …, `31+`. */
export const heatRanges = heatLevels.map((from, level) => {
  const next = heatLevels[level + 1];
  if (next === undefined) return `${from}+`;
  return next - from === 1 ? `${from}` : `${from}-${next - 1}`;
});

/** One day of one city. */
export interface HeatCell {
  date: CivilDate;
  /** In how many looks it was there. */
  times: number;
  level: 0 | 1 | 2 | 3 | 4;
  inWindow: boolean;
  excluded: boolean;
  booked: boolean;
  seen: SeenDay | null;
}

/** One month of one city; `blanks` columns stand empty before its first day. */
export interface HeatMonth {
  month: CivilDate;
  blanks: number;
  cells: HeatCell[];
}

/** What all cities of a task's map have in common. */
export interface HeatFacts {
  window: DayRange;
  excluded: DayRange[];
  /** The days of the week that are accepted, 1 (Monday) to 7; none means any. */
  weekdays: number[];
  booked: SeenCalendar['booked'];
  weekends: boolean;
}

/** The level of a number of looks. */
export function heatLevel(times: number): HeatCell['level'] {
  const above = heatLevels.findIndex((from) => times < from);
  return (above === -1 ? 4 : above - 1) as HeatCell['level'];
}

/** Monday is 0. */
export function weekdayIndex(date: CivilDate): number {
  return ((daysBetween('1970-01-05', date) % 7) + 7) % 7;
}

const onWeekend = (date: CivilDate) => weekdayIndex(date) > 4;

/** Whether a Saturday or Sunday was ever seen: only then the map has columns for them. */
export function weekendsSeen(cities: SeenCity[]): boolean {
  return cities.some((city) => city.days.some((day) => onWeekend(day.date)));
}

const monthOf = (date: CivilDate) => `${date.slice(0, 7)}-01`;

/** The months the map can show: all of the window, every date seen, and the one booked. */
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

/** Where a page of `size` months begins so that it shows `wanted`, without running past the end. */
export function pageStart(months: CivilDate[], wanted: CivilDate, size: number): number {
  const at = months.indexOf(monthOf(wanted));
  return Math.max(0, Math.min(at === -1 ? 0 : at, months.length - size));
}

/** The day of a city inside the window that was seen last. */
const newestInside = (city: SeenCity | undefined, window: DayRange): SeenDay | undefined =>
  city?.days
    .filter((day) => window.start <= day.date && day.date <= window.end)
    .sort((a, b) => b.last_seen_at.localeCompare(a.last_seen_at))[0];

/** The city the map opens on: where a date inside the window was seen last, else the first. */
export function openingCity(cities: SeenCity[], window: DayRange): SeenCity | undefined {
  const seenAt = (city: SeenCity) => newestInside(city, window)?.last_seen_at ?? '';
  return cities.reduce<SeenCity | undefined>((best, city) => (best && seenAt(best) >= seenAt(city) ? best : city), undefined);
}

/** The month a phone opens on: the newest date seen inside the window, else the window's first month. */
export function openingMonth(city: SeenCity | undefined, window: DayRange): CivilDate {
  return newestInside(city, window)?.date ?? window.start;
}

const isExcluded = (date: CivilDate, { excluded, weekdays }: HeatFacts) =>
  excluded.some((range) => range.start <= date && date <= range.end) ||
  (weekdays.length > 0 && !weekdays.includes(weekdayIndex(date) + 1));

/** One month of one city, day by day. */
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

/** Where a key leads from a day: a day or a week on, or to an end of what is shown; null for other keys and past the ends. */
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
