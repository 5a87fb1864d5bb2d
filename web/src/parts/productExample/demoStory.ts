import { addDays, addMonths, type CivilDate, daysBetween } from '../../shared/format/dates.ts';
import { weekdayIndex } from '../heatMap/heatMap.ts';

/** Age in days of the example search, and days that its booking gained. */
export const DEMO_DAY = 15;
export const DEMO_GAIN = 189;
const SOONEST_DAYS = 72;
const TUESDAY = 1;
/** Levels of the heat map for each weekday of the month. */
const LEVELS = [1, 2, 1, 0, 0, 2, 2, 1, 1, 0, 0, 2, 1, 3, 0, 1, 0, 2, 3, 1] as const;
/** Seen dates as days from today, for the ticks of the date line. */
const SEEN_DAYS = [93, 112, 135, 149, 156, 168, 181, 203, 224] as const;

/** Weekday of the calendar on the landing page. */
interface DemoCell {
  day: number;
  level: number;
  booked: boolean;
}

/**
 * Example search on the landing page. Its dates are computed from today, so that they are always
 * plausible.
 */
export interface DemoStory {
  won: CivilDate;
  before: CivilDate;
  /** Positions on the date line, in per cent from today to the previous appointment. */
  at: { won: number; window: [number, number]; excluded: [number, number]; seen: { left: number; wanted: boolean }[] };
  months: { date: CivilDate; left: number }[];
  /** Weekdays of the booked month, and the number of empty columns before the first. */
  calendar: { cells: DemoCell[]; blanks: number; seen: number };
}

/** Computes the example search for a date of today. */
export function demoStory(today: CivilDate): DemoStory {
  const soonest = addDays(today, SOONEST_DAYS);
  const won = addDays(soonest, (7 + TUESDAY - weekdayIndex(soonest)) % 7);
  const before = addDays(won, DEMO_GAIN);
  const total = daysBetween(today, before);
  const at = (days: number) => Math.round((days / total) * 10_000) / 100;
  const windowEnd = 127;
  const month = `${won.slice(0, 7)}-01`;
  const cells: DemoCell[] = [];
  for (let date = month; date < addMonths(month, 1); date = addDays(date, 1)) {
    if (weekdayIndex(date) > 4) continue;
    cells.push({ day: Number(date.slice(8)), level: LEVELS[cells.length % LEVELS.length] ?? 0, booked: date === won });
  }
  const months: DemoStory['months'] = [];
  for (let date = addMonths(`${today.slice(0, 7)}-01`, 1); date < before; date = addMonths(date, 1)) {
    const left = at(daysBetween(today, date));
    if (left > 10 && left < 96) months.push({ date, left });
  }
  const first = weekdayIndex(month);
  return {
    won,
    before,
    at: {
      won: at(daysBetween(today, won)),
      window: [at(21), at(windowEnd - 21)],
      excluded: [at(30), at(10)],
      seen: SEEN_DAYS.map((days) => ({ left: at(days), wanted: days < windowEnd })),
    },
    months,
    calendar: {
      cells,
      blanks: first > 4 ? 0 : first,
      seen: cells.filter((cell) => cell.level > 0 || cell.booked).length,
    },
  };
}
