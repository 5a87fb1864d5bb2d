import * as bounds from '../../shared/api/bounds.ts';
import type { BookingMode, FingerprintParams, SearchParams } from '../../shared/api/types.ts';
import { addDays, addMonths, type CivilDate, daysBetween, isCivilDate } from '../../shared/format/dates.ts';
import { allWithin, type DayRange, fromWire, toWire } from '../../shared/format/excludedDates.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/**
 * Form of the editor: the search criteria of one task. Cities have their English names and are in
 * order of preference.
 */
export interface SearchForm {
  start: CivilDate | null;
  end: CivilDate | null;
  excluded: DayRange[];
  cities: string[];
  /** Accepted weekdays from 1 (Monday) to 7. An empty list accepts all. */
  weekdays: number[];
  /** Accepted times, `HH:MM` in the consulate's zone, or null for no limit. */
  earliestTime: string | null;
  latestTime: string | null;
  minDays: number;
  /** Conditions for the fingerprint appointment, or null without any. */
  fingerprints: FingerprintParams | null;
  minImprovement: number;
  maxReschedules: number;
  /**
   * Last date on which the task may use the last reschedule of the portal. It is null without the
   * user's consent, and `NO_DATE` if the consent still lacks a date.
   */
  lastAttemptUntil: CivilDate | null;
  notifyOnly: boolean;
  /** True if the task asks the user before it books. */
  askFirst: boolean;
}

/** Fingerprint appointments without any condition, with the order of fields that forms use. */
export const noFingerprints: FingerprintParams = { min_days_before: null, max_days_before: null, cities: [] };

/** Placeholder for a required date that is missing. */
export const NO_DATE = '';

const limitsOf = ({ minimum, maximum }: { minimum: number; maximum: number }) => ({ min: minimum, max: maximum });

/** Bounds of the numbers in the form. */
export const limits = {
  minDays: limitsOf(bounds.SearchParams.minimum_days_from_current),
  fingerprintDays: limitsOf(bounds.FingerprintParams.min_days_before),
  minImprovement: limitsOf(bounds.SearchParams.min_improvement_days),
  // The API also accepts 0, with which a task never books. The form uses `notifyOnly` for that.
  maxReschedules: { ...limitsOf(bounds.SearchParams.max_reschedules), min: 1 },
};

/**
 * Returns the criteria of a new task: two months from tomorrow, automatic booking, and the API's
 * defaults for gain and reschedules.
 */
export function defaultForm(today: CivilDate): SearchForm {
  return {
    start: addDays(today, 1),
    end: addMonths(today, 2),
    excluded: [],
    cities: [],
    weekdays: [],
    earliestTime: null,
    latestTime: null,
    minDays: 0,
    fingerprints: null,
    minImprovement: bounds.SearchParams.min_improvement_days.default,
    maxReschedules: bounds.SearchParams.max_reschedules.default,
    lastAttemptUntil: null,
    notifyOnly: false,
    askFirst: false,
  };
}

/** Returns whether all rarely used fields have their default values. */
export function isUsual(form: SearchForm): boolean {
  const usual = defaultForm(form.start ?? '');
  const keys = ['minDays', 'minImprovement', 'maxReschedules', 'lastAttemptUntil', 'earliestTime', 'latestTime'] as const;
  return (
    form.excluded.length === 0 &&
    form.weekdays.length === 0 &&
    !form.fingerprints &&
    keys.every((key) => form[key] === usual[key])
  );
}

/** Returns the preset windows: the next two months, and the time before the present appointment. */
export function presetWindows(
  today: CivilDate,
  present: CivilDate | null,
): { key: 'twoMonths' | 'untilPresent'; window: DayRange }[] {
  const start = addDays(today, 1);
  const last = present && [addDays(present, -1), addDays(start, longestWindowDays)].sort()[0];
  return [
    { key: 'twoMonths', window: { start, end: addMonths(today, 2) } },
    ...(last && last >= start ? [{ key: 'untilPresent' as const, window: { start, end: last } }] : []),
  ];
}

/** Returns the window as a range, or null if a date is missing or the order is wrong. */
export function windowOf(form: SearchForm): DayRange | null {
  return isCivilDate(form.start) && isCivilDate(form.end) && form.start <= form.end ? { start: form.start, end: form.end } : null;
}

/** Returns the accepted weekdays, times and fingerprint appointments of a form. */
export const dayRulesOf = ({ weekdays, earliestTime, latestTime, fingerprints }: SearchForm) => ({
  weekdays,
  earliest: earliestTime,
  latest: latestTime,
  fingerprints,
});

/** Returns whether the latest time is not before the earliest time. */
export const timesInOrder = ({ earliestTime, latestTime }: SearchForm) =>
  earliestTime === null || latestTime === null || earliestTime <= latestTime;

const between = (value: number, { min, max }: { min: number; max: number }) =>
  Number.isInteger(value) && value >= min && value <= max;

/** Default length of a window without an end, in days. */
const MISSING_END_DAYS = 60;
const { longestWindow: longestWindowDays, furthest: furthestDays } = bounds.SearchParams.end_date.days;

/** Returns the form with another start. If the end is missing, it is set 60 days later. */
export function withStart(form: SearchForm, start: CivilDate | null): SearchForm {
  return { ...form, start, end: form.end ?? (start && addDays(start, MISSING_END_DAYS)) };
}

/**
 * Returns the earliest permitted start: today, or the saved start of a running task if that is in
 * the past.
 */
const earliestStart = (today: CivilDate, began?: CivilDate | null): CivilDate => (began && began < today ? began : today);

/** Returns the bounds of the two date fields. */
export function windowBounds({ start }: SearchForm, today: CivilDate, began?: CivilDate | null) {
  const furthest = addDays(today, furthestDays);
  const longest = addDays(start ?? today, longestWindowDays);
  return {
    start: { min: earliestStart(today, began), max: furthest },
    end: { min: start && start > today ? start : today, max: [longest, furthest].sort()[0] },
  };
}

/** Returns the problem of the start, without regard to the end. */
export function startProblem({ start }: SearchForm, today: CivilDate, began?: CivilDate | null): TextKey | null {
  if (!isCivilDate(start)) return 'editor.dateMissing';
  return start < earliestStart(today, began) ? 'editor.startPast' : null;
}

/** Returns the problem of the end. */
export function endProblem({ start, end }: SearchForm, today: CivilDate): TextKey | null {
  if (!isCivilDate(end)) return 'editor.dateMissing';
  if (isCivilDate(start) && end < start) return 'editor.endBeforeStart';
  if (end < today) return 'editor.endPast';
  if (isCivilDate(start) && daysBetween(start, end) > longestWindowDays) return 'editor.windowTooLong';
  return daysBetween(today, end) > furthestDays ? 'editor.tooFar' : null;
}

function windowProblem(form: SearchForm, today: CivilDate, began?: CivilDate | null): TextKey | null {
  const end = endProblem(form, today);
  const start = startProblem(form, today, began);
  if (start === 'editor.dateMissing' || end === 'editor.dateMissing') return 'editor.rangeRequired';
  if (end === 'editor.endBeforeStart') return 'editor.rangeInvalid';
  return end ?? start;
}

/** Returns whether a number of days before the interview is not permitted. */
export const outOfRange = (days: number | null) => days !== null && !between(days, limits.fingerprintDays);

/** Returns the problem of the conditions for the fingerprint appointment. */
export function fingerprintsProblem({ fingerprints }: SearchForm): TextKey | null {
  if (!fingerprints) return null;
  const { min_days_before: min, max_days_before: max, cities } = fingerprints;
  if (cities.length > bounds.FingerprintParams.cities.maxItems) return 'editor.fingerprintsCity';
  if (outOfRange(min) || outOfRange(max)) return 'editor.fingerprintsInvalid';
  return min !== null && max !== null && max < min ? 'editor.fingerprintsOrder' : null;
}

/**
 * Returns all problems that prevent saving, in the order of the editor. `began` is the saved start
 * of a running task.
 */
export function formProblems(form: SearchForm, today: CivilDate, began?: CivilDate | null): TextKey[] {
  const problems: TextKey[] = [];
  const window = windowOf(form);
  const wrongWindow = windowProblem(form, today, began);
  if (wrongWindow) problems.push(wrongWindow);
  if (!between(form.minDays, limits.minDays)) problems.push('editor.minDaysInvalid');
  if (window && !allWithin(form.excluded, window)) problems.push('editor.excludedOutside');
  if (!timesInOrder(form)) problems.push('editor.timesInvalid');
  const wrongFingerprints = fingerprintsProblem(form);
  if (wrongFingerprints) problems.push(wrongFingerprints);
  if (form.cities.length === 0) problems.push('editor.cityRequired');
  if (!between(form.minImprovement, limits.minImprovement)) problems.push('editor.improvementInvalid');
  if (!between(form.maxReschedules, limits.maxReschedules)) problems.push('editor.reschedulesInvalid');
  if (!form.notifyOnly && form.lastAttemptUntil === NO_DATE) problems.push('editor.lastAttemptRequired');
  return problems;
}

/** Number of days from today in which most users do not expect an appointment. */
const VERY_SOON_DAYS = 2;

/**
 * Returns the first date that could be booked, if there is no minimum notice and that date is very
 * soon. Otherwise returns null.
 */
export function soonestOf({ start, minDays }: SearchForm, today: CivilDate): CivilDate | null {
  const tomorrow = addDays(today, 1);
  const first = start && start > tomorrow ? start : tomorrow;
  return minDays === 0 && daysBetween(today, first) <= VERY_SOON_DAYS ? first : null;
}

const incomplete: TextKey[] = ['editor.rangeRequired', 'editor.rangeInvalid', 'editor.cityRequired'];

/** Returns whether something required is missing: a date, the order of the dates, or a city. */
export const isIncomplete = (problems: TextKey[]) => problems.some((problem) => incomplete.includes(problem));

/** Converts the form to the API format. The form must have no problems. */
export function toSearchParams(form: SearchForm): SearchParams {
  return {
    start_date: form.start ?? '',
    end_date: form.end ?? '',
    required_cities: form.cities,
    excluded_dates: toWire(form.excluded),
    weekdays: form.weekdays,
    earliest_time: form.earliestTime,
    latest_time: form.latestTime,
    minimum_days_from_current: form.minDays,
    fingerprints: form.fingerprints,
    min_improvement_days: form.minImprovement,
    max_reschedules: form.maxReschedules,
    last_attempt_until: form.lastAttemptUntil || null,
  };
}

/** Converts search criteria from the API to the form. */
export function fromSearchParams(params: SearchParams, mode: BookingMode): SearchForm {
  const start = isCivilDate(params.start_date) ? params.start_date : null;
  const rule = params.fingerprints;
  return {
    start,
    end: isCivilDate(params.end_date) ? params.end_date : start && addDays(start, MISSING_END_DAYS),
    excluded: fromWire(params.excluded_dates ?? []),
    cities: params.required_cities,
    weekdays: params.weekdays ?? [],
    earliestTime: params.earliest_time ?? null,
    latestTime: params.latest_time ?? null,
    minDays: params.minimum_days_from_current,
    fingerprints: rule ? { ...noFingerprints, ...rule } : null,
    minImprovement: params.min_improvement_days,
    maxReschedules: params.max_reschedules,
    lastAttemptUntil: params.last_attempt_until ?? null,
    notifyOnly: mode === 'notify',
    askFirst: mode === 'ask',
  };
}

/** Returns the reaction of a form to a matching date: book, ask or notify. */
export const modeOf = ({ notifyOnly, askFirst }: Pick<SearchForm, 'notifyOnly' | 'askFirst'>): BookingMode =>
  notifyOnly ? 'notify' : askFirst ? 'ask' : 'auto';

/**
 * Returns whether two forms differ only in their cities. In that case only the list of cities is
 * sent.
 */
export function onlyCitiesDiffer(a: SearchForm, b: SearchForm): boolean {
  const rest = ({ cities: _, ...others }: SearchForm) => JSON.stringify(others);
  return rest(a) === rest(b) && a.cities.join('|') !== b.cities.join('|');
}

/** Returns whether two forms contain the same criteria. */
export const sameForm = (a: SearchForm, b: SearchForm) => JSON.stringify(a) === JSON.stringify(b);

/** Parses a typed number. Invalid text becomes 0. */
export function typedNumber(text: string): number {
  const value = Number.parseInt(text, 10);
  return Number.isNaN(value) ? 0 : value;
}
