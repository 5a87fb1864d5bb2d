import { addDays, type CivilDate, daysBetween, monthStarts } from '../../shared/format/dates.ts';
import type { DayRange } from '../../shared/format/excludedDates.ts';

/** Content of a date line, which shows the time from today to the last relevant date. */
export interface DateLineFacts {
  today: CivilDate;
  window?: DayRange | null;
  excluded?: DayRange[];
  seen?: { date: CivilDate; wanted: boolean }[];
  best?: CivilDate | null;
  present?: CivilDate | null;
  /** Appointments of other groups, if the line shows several groups. `present` is the latest. */
  others?: CivilDate[];
  /** Earlier appointments, oldest first. The bracket starts at the first one. */
  earlierDates?: CivilDate[];
}

/** Positions on a date line, in per cent from today (0) to its end (100). */
export interface DateLineLayout {
  end: CivilDate;
  at: (date: CivilDate) => number;
  span: (range: DayRange) => { left: number; width: number } | null;
  months: { date: CivilDate; left: number }[];
  /** Days gained by all bookings, or null without a booking. */
  gainedDays: number | null;
}

const SHORTEST_DAYS = 30;
const MOST_MONTH_LABELS = 9;

/**
 * Computes the positions on a date line. Dates before today are at 0, dates after the end at 100.
 */
export function layoutDateLine(facts: DateLineFacts): DateLineLayout {
  const dates = [
    addDays(facts.today, SHORTEST_DAYS),
    ...(facts.present ? [facts.present] : []),
    ...(facts.others ?? []),
    ...(facts.earlierDates ?? []),
    ...(facts.window ? [facts.window.end] : []),
    ...(facts.best ? [facts.best] : []),
  ];
  const end = dates.sort().at(-1) ?? facts.today;
  const total = daysBetween(facts.today, end);
  const at = (date: CivilDate) => Math.min(100, Math.max(0, (daysBetween(facts.today, date) / total) * 100));
  const span = (range: DayRange) => {
    const left = at(range.start);
    const width = at(addDays(range.end, 1)) - left;
    return width > 0 ? { left, width } : null;
  };
  const starts = monthStarts(facts.today, end);
  const step = Math.max(1, Math.ceil(starts.length / MOST_MONTH_LABELS));
  const months = starts
    .map((date) => ({ date, left: at(date) }))
    .filter((month, index) => month.left > 6 && month.left < 96 && index % step === 0);
  const first = facts.earlierDates?.[0];
  const gainedDays = first && facts.present && facts.present < first ? daysBetween(facts.present, first) : null;
  return { end, at, span, months, gainedDays };
}
