import type { SearchParams } from '../../shared/api/types.ts';
import { addDays, addMonths, type CivilDate, daysBetween, isCivilDate } from '../../shared/format/dates.ts';
import { allWithin, type DayRange, fromWire, toWire } from '../../shared/format/excludedDates.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** What the parameter editor edits: one task's wish. Cities stand in order of preference, under their English names. */
export interface SearchForm {
  start: CivilDate | null;
  end: CivilDate | null;
  excluded: DayRange[];
  cities: string[];
  minDays: number;
  minImprovement: number;
  maxReschedules: number;
  lastAttemptUntil: CivilDate | null;
  notifyOnly: boolean;
}

/** Bounds of the numbers in the form, in days and changes. */
export const limits = {
  minDays: { min: 0, max: 365 },
  minImprovement: { min: 1, max: 365 },
  maxReschedules: { min: 1, max: 9 },
} as const;

/** A new wish: from tomorrow for two months, book, seven days' gain, two changes. */
export function defaultForm(today: CivilDate): SearchForm {
  return {
    start: addDays(today, 1),
    end: addMonths(today, 2),
    excluded: [],
    cities: [],
    minDays: 0,
    minImprovement: 7,
    maxReschedules: 2,
    lastAttemptUntil: null,
    notifyOnly: false,
  };
}

/** The window as a range, when both ends are there and in order. */
export function windowOf(form: SearchForm): DayRange | null {
  return isCivilDate(form.start) && isCivilDate(form.end) && form.start <= form.end ? { start: form.start, end: form.end } : null;
}

const between = (value: number, { min, max }: { min: number; max: number }) =>
  Number.isInteger(value) && value >= min && value <= max;

/** Days a window ends after its start when its end is not known. */
const MISSING_END_DAYS = 60;
/** The longest window the server takes. */
const LONGEST_WINDOW_DAYS = 3 * 366;
/** It takes no day further ahead. */
const FURTHEST_DAYS = 10 * 366;

/** The form with another start; a missing end is put about 60 days out. */
export function withStart(form: SearchForm, start: CivilDate | null): SearchForm {
  return { ...form, start, end: form.end ?? (start && addDays(start, MISSING_END_DAYS)) };
}

function windowProblem(form: SearchForm, today: CivilDate): Words | null {
  const window = windowOf(form);
  if (!isCivilDate(form.start) || !isCivilDate(form.end)) return 'editor.rangeRequired';
  if (!window) return 'editor.rangeInvalid';
  if (window.end < today) return 'editor.endPast';
  if (daysBetween(window.start, window.end) > LONGEST_WINDOW_DAYS) return 'editor.windowTooLong';
  return daysBetween(today, window.end) > FURTHEST_DAYS ? 'editor.tooFar' : null;
}

/** Everything that keeps the form from being saved, in the order the editor shows it. */
export function formProblems(form: SearchForm, today: CivilDate): Words[] {
  const problems: Words[] = [];
  const window = windowOf(form);
  const wrongWindow = windowProblem(form, today);
  if (wrongWindow) problems.push(wrongWindow);
  if (!between(form.minDays, limits.minDays)) problems.push('editor.minDaysInvalid');
  if (window && !allWithin(form.excluded, window)) problems.push('editor.excludedOutside');
  if (form.cities.length === 0) problems.push('editor.cityRequired');
  if (!between(form.minImprovement, limits.minImprovement)) problems.push('editor.improvementInvalid');
  if (!between(form.maxReschedules, limits.maxReschedules)) problems.push('editor.reschedulesInvalid');
  return problems;
}

const incomplete: Words[] = ['editor.rangeRequired', 'editor.rangeInvalid', 'editor.cityRequired'];

/** Whether what is wrong is that something is still missing: the dates, their order, or a city. */
export const isIncomplete = (problems: Words[]) => problems.some((problem) => incomplete.includes(problem));

/** The form as the server reads it; call only without problems. */
export function toSearchParams(form: SearchForm): SearchParams {
  return {
    start_date: form.start ?? '',
    end_date: form.end ?? '',
    required_cities: form.cities,
    excluded_dates: toWire(form.excluded),
    minimum_days_from_current: form.minDays,
    min_improvement_days: form.minImprovement,
    max_reschedules: form.maxReschedules,
    last_attempt_until: form.lastAttemptUntil,
  };
}

/** A saved wish as the editor's form. */
export function fromSearchParams(params: SearchParams, notifyOnly: boolean): SearchForm {
  const start = isCivilDate(params.start_date) ? params.start_date : null;
  return {
    start,
    end: isCivilDate(params.end_date) ? params.end_date : start && addDays(start, MISSING_END_DAYS),
    excluded: fromWire(params.excluded_dates ?? []),
    cities: params.required_cities,
    minDays: params.minimum_days_from_current,
    minImprovement: params.min_improvement_days ?? 7,
    maxReschedules: params.max_reschedules ?? 2,
    lastAttemptUntil: params.last_attempt_until ?? null,
    notifyOnly,
  };
}

/** Whether two forms differ in nothing but their cities: then only the city list is sent. */
export function onlyCitiesDiffer(a: SearchForm, b: SearchForm): boolean {
  const rest = ({ cities: _, ...others }: SearchForm) => JSON.stringify(others);
  return rest(a) === rest(b) && a.cities.join('|') !== b.cities.join('|');
}

/** Whether two forms mean the same wish. */
export const sameForm = (a: SearchForm, b: SearchForm) => JSON.stringify(a) === JSON.stringify(b);

/** Reads a typed number of days: what is not a number becomes 0. */
export function typedNumber(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? 0 : value;
}
