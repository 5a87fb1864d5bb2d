import { type CivilDate, isCivilDate } from '../format/dates.ts';
import type { UiWords } from './UiWords.tsx';

/** The dates that any field takes. */
const EARLIEST: CivilDate = '1900-01-01';
const LATEST: CivilDate = '2099-12-31';

const LOOSE = /^(\d{4})[-/.年 ](\d{1,2})[-/.月 ](\d{1,2})日?$/;
const DIGITS = /^(\d{4})(\d{2})(\d{2})$/;

/** What was typed, as YYYY-MM-DD where it can be read as three numbers; otherwise as it is. */
export function tidied(text: string): string {
  const trimmed = text.trim();
  const parts = DIGITS.exec(trimmed) ?? LOOSE.exec(trimmed);
  if (!parts) return trimmed;
  const [, year = '', month = '', day = ''] = parts;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The date that was typed, or null for none or an impossible one. */
export function readDate(text: string): CivilDate | null {
  const date = tidied(text);
  return isCivilDate(date) ? date : null;
}

/** Why a date cannot be taken, and the word that its sentence needs. */
interface DateProblem {
  kind: 'dateFormat' | 'dateImpossible' | 'dateTooEarly' | 'dateTooLate';
  date: string;
}

/** The later of two dates, of which one may be missing. */
const later = (one: CivilDate | null | undefined, other: CivilDate) => (one && one > other ? one : other);
const earlier = (one: CivilDate | null | undefined, other: CivilDate) => (one && one < other ? one : other);

/** The first and the last date a field takes: its own bounds within those of any field. */
export function dateBounds(min?: CivilDate | null, max?: CivilDate | null) {
  return { first: later(min, EARLIEST), last: earlier(max, LATEST) };
}

/** Why what was typed is not a date between `min` and `max`; null where it is, or where nothing was typed. */
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

/** The sentence for a problem, with `{date}` to fill in. */
export const problemSentence = (words: UiWords, problem: DateProblem): string => words[problem.kind];
