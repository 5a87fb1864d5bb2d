import type { SearchParams } from '../api/types.ts';
import type { Words } from '../i18n/words.ts';
import { addDays, addMonths, type CivilDate, isCivilDate } from './dates.ts';
import { allWithin, type DayRange, fromWire, toWire } from './excludedDates.ts';

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

/** Everything that keeps the form from being saved, in the order the editor shows it. */
export function formProblems(form: SearchForm): Words[] {
  const problems: Words[] = [];
  const window = windowOf(form);
  if (!isCivilDate(form.start) || !isCivilDate(form.end)) problems.push('editor.rangeRequired');
  else if (!window) problems.push('editor.rangeInvalid');
  if (!between(form.minDays, limits.minDays)) problems.push('editor.minDaysInvalid');
  if (window && !allWithin(form.excluded, window)) problems.push('editor.excludedOutside');
  if (form.cities.length === 0) problems.push('editor.cityRequired');
  if (!between(form.minImprovement, limits.minImprovement)) problems.push('editor.improvementInvalid');
  if (!between(form.maxReschedules, limits.maxReschedules)) problems.push('editor.reschedulesInvalid');
  return problems;
}

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
  return {
    start: isCivilDate(params.start_date) ? params.start_date : null,
    end: isCivilDate(params.end_date) ? params.end_date : null,
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

/** Reads a typed number of days: what is not a number becomes 0. */
export function typedNumber(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? 0 : value;
}
