import { type CivilDate, isCivilDate } from '../format/dates.ts';
import type { UiTexts } from './UiTexts.tsx';

/** Range of dates that every field accepts. */
const EARLIEST: CivilDate = '1900-01-01';
const LATEST: CivilDate = '2099-12-31';

const LOOSE = /^(\d{4})[-/.年 ](\d{1,2})[-/.月 ](\d{1,2})日?$/;
const DIGITS = /^(\d{4})(\d{2})(\d{2})$/;

/** Formats typed text as YYYY-MM-DD if it contains three numbers, else returns it unchanged. */
export function tidied(text: string): string {
  const trimmed = text.trim();
  const parts = DIGITS.exec(trimmed) ?? LOOSE.exec(trimmed);
  if (!parts) return trimmed;
  const [, year = '', month = '', day = ''] = parts;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Parses typed text as a date. Returns null if it is not a valid date. */
export function readDate(text: string): CivilDate | null {
  const date = tidied(text);
  return isCivilDate(date) ? date : null;
}

/** Reason why a date is refused, and the date to insert into its message. */
interface DateProblem {
  kind: 'dateFormat' | 'dateImpossible' | 'dateTooEarly' | 'dateTooLate';
  date: string;
}

/** Returns the later of two dates. The first may be missing. */
const later = (one: CivilDate | null | undefined, other: CivilDate) => (one && one > other ? one : other);
const earlier = (one: CivilDate | null | undefined, other: CivilDate) => (one && one < other ? one : other);

/**
 * Returns the first and the last accepted date of a field, from its own bounds and the general
 * range.
 */
export function dateBounds(min?: CivilDate | null, max?: CivilDate | null) {
  return { first: later(min, EARLIEST), last: earlier(max, LATEST) };
}

/**
 * Returns the reason why typed text is refused. Returns null for an accepted date and for empty
 * text.
 */
export function dateProblem(text: string, min?: CivilDate | null, max?: CivilDate | null): DateProblem | null {
  const date = tidied(text);
  if (date === '') return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date)) return { kind: 'dateFormat', date };
  if (!isCivilDate(date)) return { kind: 'dateImpossible', date };
  const { first, last } = dateBounds(min, max);
  if (date < first) return { kind: 'dateTooEarly', date: first };
  if (date > last) return { kind: 'dateTooLate', date: last };
  return null;
}

/** Returns the message for a problem, with the placeholder `{date}`. */
export const problemSentence = (texts: UiTexts, problem: DateProblem): string => texts[problem.kind];
