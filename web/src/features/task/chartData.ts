import type { EarliestPoint, SeenCalendar, SlotMark } from '../../shared/api/types.ts';
import { addDays, addMonths, type CivilDate, civilToday, daysBetween } from '../../shared/format/dates.ts';
import { dayStart } from '../../shared/format/zoneDay.ts';
import { clock, displayToday, instantParts, monthName } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const EPOCH = '1970-01-01';
const MOST_TICKS = 5;
const MOST_MARKS = 24;
/**
 * Outcomes without a mark. Dates outside of the criteria are frequent and would hide the other
 * marks. The list of reasons contains them.
 */
const UNMARKED: SlotMark['outcome'][] = [
  'after_window',
  'before_window',
  'not_earlier_enough',
  'not_earlier',
  'other_booked',
  'too_soon',
  'city_not_wanted',
  'open',
];

/** Returns a date as a number of days, for the vertical axis. */
export const dayNumber = (date: CivilDate) => daysBetween(EPOCH, date);

/** Converts a number of days back to a date. */
export const numberDay = (days: number): CivilDate => addDays(EPOCH, Math.round(days));

/** Data of the chart. All cities have values at the same moments. */
export interface ChartData {
  from: number;
  until: number;
  /**
   * Moments in ms at which a city's earliest date changed. The first and the last are the ends of
   * the chart.
   */
  times: number[];
  series: { facility: string; values: (number | null)[]; last: CivilDate | null }[];
  marks: (SlotMark & { x: number; y: number; from: number | null })[];
  min: number;
  max: number;
  /** First days of months, which are labelled on the vertical axis. */
  ticks: number[];
}

/**
 * Returns the earliest date of a city at a moment, which is the date of the last change before it.
 */
export function earliestAt(points: EarliestPoint[], at: number): CivilDate | null {
  let found: CivilDate | null = null;
  for (const point of points) if (Date.parse(point.at) <= at) found = point.earliest;
  return found;
}

function monthTicks(min: number, max: number): number[] {
  const months: number[] = [];
  const first = addMonths(`${numberDay(min).slice(0, 7)}-01`, 1);
  for (let month = first; dayNumber(month) <= max; month = addMonths(month, 1)) months.push(dayNumber(month));
  const every = Math.ceil(months.length / MOST_TICKS);
  return months.filter((_, index) => index % every === 0);
}

/** Time in ms for which a line continues after the last poll of its city. */
const NEXT_POLL_MS = 3 * HOUR_MS;

/** Times of the last poll of each city, by its name. */
export type LastPolls = Record<string, string | null>;

/**
 * Returns the moment in ms at which a city's line ends: the end of the chart, or the last poll if
 * no other has followed for a long time.
 */
function lineEnd(lastPoll: string | null | undefined, now: number): number {
  const last = lastPoll ? Date.parse(lastPoll) : now;
  return now - last > NEXT_POLL_MS ? last : now;
}

/**
 * Converts the server's data to the chart of the last `days` days before `now` (ms). No line is
 * drawn after a city's last poll.
 */
export function chartData(calendar: SeenCalendar, now: number, days: number, lastPolls: LastPolls = {}): ChartData {
  const ordered = calendar.series.map(({ facility, points }) => ({
    facility,
    points: [...points].sort((a, b) => a.at.localeCompare(b.at)),
  }));
  const changes = ordered.flatMap(({ points }) => points.map((point) => Date.parse(point.at)));
  // A task younger than the period starts at its first poll.
  const from = Math.max(now - days * DAY_MS, Math.min(...changes, now - HOUR_MS));
  const ends = new Map(ordered.map(({ facility }) => [facility, lineEnd(lastPolls[facility], now)]));
  const moments = [...changes, ...ends.values()].filter((at) => at > from && at < now);
  const times = [...new Set([from, ...moments, now])].sort((a, b) => a - b);
  const series = ordered.map(({ facility, points }) => {
    const values = times.map((at) => {
      const earliest = at > (ends.get(facility) ?? now) ? null : earliestAt(points, at);
      return earliest === null ? null : dayNumber(earliest);
    });
    return { facility, values, last: points.at(-1)?.earliest ?? null };
  });
  const marks = calendar.marks
    .filter((mark) => !UNMARKED.includes(mark.outcome))
    .map((mark) => {
      const x = Date.parse(mark.at);
      const line = ordered.find(({ facility }) => facility === mark.facility);
      const above = line ? earliestAt(line.points, x) : null;
      return { ...mark, x, y: dayNumber(mark.date), from: above === null ? null : dayNumber(above) };
    })
    .filter((mark) => mark.x >= from && mark.x <= now)
    .sort((a, b) => a.x - b.x)
    .slice(-MOST_MARKS);
  const all = [
    ...series.flatMap(({ values }) => values.filter((value) => value !== null)),
    ...marks.map((mark) => mark.y),
    ...(calendar.window ? [dayNumber(calendar.window.start), dayNumber(calendar.window.end)] : []),
    ...(calendar.booked ? [dayNumber(calendar.booked.date)] : []),
  ];
  if (all.length === 0) all.push(dayNumber(civilToday(now)));
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = Math.max(7, Math.round((most - least) * 0.06));
  const [min, max] = [least - room, most + room];
  return { from, until: now, times, series, marks, min, max, ticks: monthTicks(min, max) };
}

/**
 * Converts the server's data to a table: one row per day, newest first, with each city's earliest
 * date at the end of the day.
 */
export function chartTable(calendar: SeenCalendar, now: number, days: number): { day: CivilDate; dates: (CivilDate | null)[] }[] {
  const series = calendar.series.map(({ points }) => [...points].sort((a, b) => a.at.localeCompare(b.at)));
  const first = series.flatMap((points) => points.slice(0, 1).map((point) => instantParts(point.at).date)).sort()[0];
  const today = displayToday(now);
  const rows: { day: CivilDate; dates: (CivilDate | null)[] }[] = [];
  for (let back = 0; back < days; back += 1) {
    const day = addDays(today, -back);
    if (!first || day < first) break;
    const known = series.map((points) => points.filter((point) => instantParts(point.at).date <= day).at(-1)?.earliest ?? null);
    rows.push({ day, dates: known });
  }
  return rows;
}

/** Returns whether a period is so short that the labels are times instead of dates. */
export const isShort = (from: number, until: number) => until - from < 2 * DAY_MS;

/**
 * Returns at most `most` evenly spaced moments for labels. They are noons of days, counted back
 * from the end. A short period is divided into equal parts.
 */
export function timeTicks(from: number, until: number, most: number): number[] {
  if (isShort(from, until)) return Array.from({ length: most }, (_, at) => from + ((at + 0.5) * (until - from)) / most);
  const last = Date.parse(dayStart(displayToday(until))) + DAY_MS / 2;
  const every = Math.max(1, Math.ceil((until - from) / DAY_MS / most));
  const ticks: number[] = [];
  for (let at = last > until ? last - DAY_MS : last; at >= from; at -= every * DAY_MS) ticks.unshift(at);
  return ticks;
}

const yearOf = (date: CivilDate) => date.slice(0, 4);

/** Returns whether a period is in two years, so that its labels need them. */
export const crossesYears = (from: number, until: number) => yearOf(displayToday(from)) !== yearOf(displayToday(until));

/**
 * Returns the labels below the chart: dates, or times for a short period. The first time of each
 * day includes its date. Dates include the year if the period is in two years.
 */
export function tickLabel(ticks: number[], from: number, until: number, language: Language): string[] {
  const parts = ticks.map((at) => instantParts(new Date(at).toISOString()));
  const start = crossesYears(from, until) ? 0 : 5;
  if (!isShort(from, until)) return parts.map(({ date }) => date.slice(start));
  return parts.map(({ date, time }, index) => {
    const label = clock(time, language);
    return date === parts[index - 1]?.date ? label : `${date.slice(start)} ${label}`;
  });
}

/**
 * Returns the labels of months at the side of the chart. The first month of a year has that year
 * below it, separated by a line feed, unless it is the present year.
 */
export function monthLabels(ticks: number[], now: number, language: Language): string[] {
  const dates = ticks.map(numberDay);
  const present = yearOf(displayToday(now));
  return dates.map((date, index) => {
    const before = dates[index - 1];
    const isNew = before === undefined ? yearOf(date) !== present : yearOf(date) !== yearOf(before);
    return isNew ? `${monthName(date, language)}\n${yearOf(date)}` : monthName(date, language);
  });
}
