import { describe, expect, it } from 'vitest';
import { allTexts } from '../../../scripts/textFiles.ts';
import {
  defaultForm,
  formProblems,
  fromSearchParams,
  isIncomplete,
  isUsual,
  limits,
  NO_DATE,
  onlyCitiesDiffer,
  presetWindows,
  sameForm,
  toSearchParams,
  typedNumber,
  windowBounds,
  withStart,
} from './searchForm.ts';

const TODAY = '2026-11-24';
const good = { ...defaultForm('2026-11-24'), cities: ['Toronto'] };

describe('the search form', () => {
  // spec: 5.2.06, 9.25
  it('starts tomorrow and ends two months ahead', () => {
    expect(defaultForm('2026-11-24')).toMatchObject({
      start: '2026-11-25',
      end: '2027-01-24',
      minDays: 0,
      minImprovement: 7,
      maxReschedules: 2,
      notifyOnly: false,
      askFirst: false,
    });
    expect(defaultForm('2026-12-31').end).toBe('2027-02-28');
  });

  it('is the same whatever the order of fields in the response', () => {
    const rule = { cities: ['Mexico City'], max_days_before: 9, min_days_before: null };
    const form = { ...good, fingerprints: { min_days_before: null, max_days_before: 9, cities: ['Mexico City'] } };
    expect(sameForm(fromSearchParams({ ...toSearchParams(good), fingerprints: rule }, 'auto'), form)).toBe(true);
  });

  it('offers the next two months, and the time before the present appointment if there is one', () => {
    const windows = (present: string | null) => presetWindows(TODAY, present).map(({ window }) => [window.start, window.end]);
    expect(windows(null)).toEqual([['2026-11-25', '2027-01-24']]);
    expect(windows('2027-06-15')).toEqual([
      ['2026-11-25', '2027-01-24'],
      ['2026-11-25', '2027-06-14'],
    ]);
    expect(windows('2026-11-26')[1]).toEqual(['2026-11-25', '2026-11-25']);
    expect(windows('2026-11-25')).toHaveLength(1);
    expect(windows('2035-01-01')[1]?.[1]).toBe('2029-11-27');
  });

  it('distinguishes default values from changed values', () => {
    expect(isUsual({ ...good, start: '2027-01-01', end: '2027-01-02', notifyOnly: true })).toBe(true);
    const set = { minDays: 1, minImprovement: 1, maxReschedules: 3, lastAttemptUntil: TODAY, weekdays: [1], latestTime: '12:00' };
    for (const [key, value] of Object.entries(set)) expect([key, isUsual({ ...good, [key]: value })]).toEqual([key, false]);
    expect(isUsual({ ...good, excluded: [{ start: TODAY, end: TODAY }] })).toBe(false);
  });

  it('requires the latest time not to be before the earliest', () => {
    const at = (earliestTime: string | null, latestTime: string | null) =>
      formProblems({ ...good, earliestTime, latestTime }, TODAY);
    expect(at('09:00', '08:59')).toEqual(['editor.timesInvalid']);
    for (const [from, until] of [
      ['09:00', '09:00'],
      [null, '08:00'],
      ['08:00', null],
    ] as const)
      expect(at(from, until)).toEqual([]);
  });

  // spec: 5.2.03, 5.2.04, 5.2.05, 5.2.08, 9.24
  it('accepts a valid form and names each problem of an invalid one', () => {
    expect(formProblems(good, TODAY)).toEqual([]);
    expect(formProblems({ ...good, cities: [] }, TODAY)).toEqual(['editor.cityRequired']);
    expect(formProblems({ ...good, end: null }, TODAY)).toEqual(['editor.rangeRequired']);
    expect(formProblems({ ...good, end: '2026-11-20' }, TODAY)).toEqual(['editor.rangeInvalid']);
    expect(formProblems({ ...good, minDays: 366 }, TODAY)).toEqual(['editor.minDaysInvalid']);
    expect(formProblems({ ...good, excluded: [{ start: '2027-05-01', end: '2027-05-01' }] }, TODAY)).toEqual([
      'editor.excludedOutside',
    ]);
  });

  it('refuses a past range, and one longer than three years', () => {
    expect(formProblems({ ...good, start: '2026-10-01', end: '2026-11-23' }, TODAY)).toEqual(['editor.endPast']);
    expect(formProblems({ ...good, start: '2026-10-01', end: TODAY }, TODAY, '2026-10-01')).toEqual([]);
    expect(formProblems({ ...good, end: '2029-11-27' }, TODAY)).toEqual([]);
    expect(formProblems({ ...good, end: '2029-12-28' }, TODAY)).toEqual(['editor.windowTooLong']);
    expect(formProblems({ ...good, start: '2040-01-01', end: '2040-02-01' }, TODAY)).toEqual(['editor.tooFar']);
  });

  it('refuses a start in the past, but not the saved start of a running task or a later one', () => {
    const past = { ...good, start: '2026-11-23' };
    expect(formProblems(past, TODAY)).toEqual(['editor.startPast']);
    expect(formProblems(past, TODAY, '2026-12-05')).toEqual(['editor.startPast']);
    expect(formProblems(past, TODAY, '2026-11-23')).toEqual([]);
    expect(formProblems(past, TODAY, '2026-11-24')).toEqual(['editor.startPast']);
  });

  it('refuses the consent to the last reschedule without a date, unless the task never books', () => {
    const open = { ...good, lastAttemptUntil: NO_DATE };
    expect(formProblems(open, TODAY)).toEqual(['editor.lastAttemptRequired']);
    expect(formProblems({ ...open, notifyOnly: true }, TODAY)).toEqual([]);
    expect(toSearchParams({ ...open, notifyOnly: true }).last_attempt_until).toBeNull();
  });

  it('limits the two dates of the window', () => {
    const { start, end } = windowBounds(good, TODAY);
    expect([start.min, end.min, end.max]).toEqual([TODAY, good.start, '2029-11-27']);
    expect(windowBounds({ ...good, start: '2026-10-01' }, TODAY, '2026-10-01')).toMatchObject({
      start: { min: '2026-10-01' },
      end: { min: TODAY },
    });
  });

  it.each([
    ['minDaysInvalid', limits.minDays],
    ['improvementInvalid', limits.minImprovement],
    ['reschedulesInvalid', limits.maxReschedules],
  ] as const)('shows the bounds of the server: %s', (key, { min, max }) => {
    for (const language of ['en', 'zh'] as const)
      expect(allTexts(language)[`editor.${key}`]?.match(/\d+/g)).toEqual([String(min), String(max)]);
  });

  // spec: 5.2.07
  it('sets a missing end about 60 days later', () => {
    expect(withStart({ ...good, end: null }, '2026-12-01').end).toBe('2027-01-30');
    expect(withStart(good, '2026-12-01').end).toBe(good.end);
    expect(fromSearchParams({ ...toSearchParams(good), end_date: '' }, 'auto').end).toBe('2027-01-24');
  });

  it('distinguishes missing from invalid values', () => {
    expect(isIncomplete(formProblems({ ...good, cities: [] }, TODAY))).toBe(true);
    expect(isIncomplete(formProblems({ ...good, start: null }, TODAY))).toBe(true);
    expect(isIncomplete(formProblems({ ...good, minDays: 400 }, TODAY))).toBe(false);
  });

  // spec: 3.30, 3.44
  it('is unchanged after conversion to the wire and back', () => {
    const form = { ...good, excluded: [{ start: '2026-12-24', end: '2026-12-26' }], lastAttemptUntil: '2026-12-20' };
    expect(fromSearchParams(toSearchParams(form), 'auto')).toEqual(form);
    expect(toSearchParams(form).excluded_dates).toHaveLength(3);
  });

  // spec: 7.3.12
  it('detects that only the cities changed', () => {
    expect(onlyCitiesDiffer(good, { ...good, cities: ['Toronto', 'Ottawa'] })).toBe(true);
    expect(onlyCitiesDiffer(good, { ...good, cities: ['Ottawa'], minDays: 3 })).toBe(false);
    expect(onlyCitiesDiffer(good, good)).toBe(false);
  });

  // spec: 5.2.09
  it('reads an invalid number as zero', () => {
    expect(typedNumber('seven')).toBe(0);
    expect(typedNumber('')).toBe(0);
    expect(typedNumber('14')).toBe(14);
  });
});
