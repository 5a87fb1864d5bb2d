import type { ExcludedDate } from '../api/types.ts';
import { addDays, type CivilDate, daysBetween, isCivilDate } from './dates.ts';

/**
 * Excluded dates from `start` to `end`, both inclusive. A single date is a range of one. Lists of
 * ranges are sorted, and ranges never overlap or touch.
 */
export interface DayRange {
  start: CivilDate;
  end: CivilDate;
}

/** Reason why an entry was not added. */
export type ExcludedProblem = 'incomplete' | 'endBeforeStart' | 'outOfRange' | 'duplicate';

/** Returns the number of days in a range. */
export function rangeDays(range: DayRange): number {
  return daysBetween(range.start, range.end) + 1;
}

/** Returns a range for display. `end` is null for a single date. */
export function shortRange({ start, end }: DayRange): { start: CivilDate; end: CivilDate | null } {
  return { start, end: start === end ? null : end };
}

/** Sorts ranges and joins those that overlap or touch. */
export function mergeRanges(ranges: DayRange[]): DayRange[] {
  const sorted = [...ranges].sort((a, b) => a.start.localeCompare(b.start));
  const merged: DayRange[] = [];
  for (const range of sorted) {
    const last = merged.at(-1);
    if (last && range.start <= addDays(last.end, 1)) {
      if (range.end > last.end) last.end = range.end;
    } else {
      merged.push({ ...range });
    }
  }
  return merged;
}

/**
 * Adds a date or a range, or returns the reason why not. Adjacent and overlapping ranges are
 * joined.
 */
export function addExcluded(
  ranges: DayRange[],
  entry: { start: CivilDate | null; end: CivilDate | null },
  window: DayRange,
): { ranges: DayRange[] } | { problem: ExcludedProblem } {
  if (!isCivilDate(entry.start) || !isCivilDate(entry.end)) return { problem: 'incomplete' };
  const added = { start: entry.start, end: entry.end };
  if (added.end < added.start) return { problem: 'endBeforeStart' };
  if (added.start < window.start || added.end > window.end) return { problem: 'outOfRange' };
  if (ranges.some((range) => range.start <= added.start && added.end <= range.end)) return { problem: 'duplicate' };
  return { ranges: mergeRanges([...ranges, added]) };
}

/** Removes one range. */
export function removeExcluded(ranges: DayRange[], removed: DayRange): DayRange[] {
  return ranges.filter((range) => range.start !== removed.start || range.end !== removed.end);
}

/** Returns whether every excluded date is within the window. */
export function allWithin(ranges: DayRange[], window: DayRange): boolean {
  return ranges.every((range) => window.start <= range.start && range.end <= window.end);
}

/** Result of cutting the excluded ranges to a window. */
export interface Cut {
  /** All ranges after the cut. */
  ranges: DayRange[];
  /** Ranges that became shorter, in their new form. */
  shortened: DayRange[];
  /** Ranges that were removed, because no date of them is in the window. */
  dropped: DayRange[];
}

/** Cuts every range to the window. Dates inside the window stay excluded. */
export function cutToWindow(ranges: DayRange[], window: DayRange): Cut {
  const cut: Cut = { ranges: [], shortened: [], dropped: [] };
  for (const range of ranges) {
    if (range.end < window.start || window.end < range.start) {
      cut.dropped.push(range);
      continue;
    }
    const kept = { ...range };
    if (kept.start < window.start) kept.start = window.start;
    if (kept.end > window.end) kept.end = window.end;
    cut.ranges.push(kept);
    if (!allWithin([range], window)) cut.shortened.push(kept);
  }
  return cut;
}

/** Returns the total number of excluded days. */
export function totalDays(ranges: DayRange[]): number {
  return ranges.reduce((sum, range) => sum + rangeDays(range), 0);
}

/** Parses excluded dates in any of the API's three formats. Ignores invalid entries. */
export function fromWire(entries: ExcludedDate[]): DayRange[] {
  return mergeRanges(
    entries.flatMap((entry) => {
      if (typeof entry === 'string') return isCivilDate(entry) ? [{ start: entry, end: entry }] : [];
      if ('start' in entry)
        return isCivilDate(entry.start) && isCivilDate(entry.end) && entry.start <= entry.end
          ? [{ start: entry.start, end: entry.end }]
          : [];
      return isCivilDate(entry.date) ? [{ start: entry.date, end: entry.date }] : [];
    }),
  );
}

/**
 * Converts ranges to the format of a configure request: one `{type: "", date}` per excluded date.
 */
export function toWire(ranges: DayRange[]): { type: ''; date: CivilDate }[] {
  return ranges.flatMap((range) =>
    Array.from({ length: rangeDays(range) }, (_, day) => ({ type: '' as const, date: addDays(range.start, day) })),
  );
}
