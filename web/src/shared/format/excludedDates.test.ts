import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExcludedDate } from '../api/types.ts';
import { addDays } from './dates.ts';
import {
  addExcluded,
  allWithin,
  cutToWindow,
  type DayRange,
  fromWire,
  mergeRanges,
  removeExcluded,
  shortRange,
  totalDays,
  toWire,
} from './excludedDates.ts';

const window = { start: '2026-12-01', end: '2027-03-31' };
const day = (date: string) => ({ start: date, end: date });

describe('excluded dates', () => {
  // spec: 5.2.18
  it('keeps the list sorted whatever the order of adding', () => {
    const first = addExcluded([], day('2027-02-05'), window);
    const both = addExcluded('ranges' in first ? first.ranges : [], day('2026-12-24'), window);
    expect(both).toEqual({ ranges: [day('2026-12-24'), day('2027-02-05')] });
  });

  // spec: 5.2.17, 5.2.19
  it('ignores a day that is already excluded, alone or inside a range', () => {
    expect(addExcluded([day('2027-02-05')], day('2027-02-05'), window)).toEqual({ problem: 'duplicate' });
    expect(addExcluded([{ start: '2026-12-24', end: '2027-01-03' }], day('2026-12-31'), window)).toEqual({
      problem: 'duplicate',
    });
  });

  // spec: 5.2.20
  it('absorbs single days into an added range', () => {
    const added = addExcluded([day('2027-01-05'), day('2027-01-20')], { start: '2027-01-01', end: '2027-01-10' }, window);
    expect(added).toEqual({ ranges: [{ start: '2027-01-01', end: '2027-01-10' }, day('2027-01-20')] });
  });

  // spec: 5.2.21, 5.2.22
  it('joins overlapping and adjacent ranges, and consecutive single days', () => {
    expect(
      mergeRanges([
        { start: '2027-01-04', end: '2027-01-06' },
        { start: '2027-01-01', end: '2027-01-03' },
      ]),
    ).toEqual([{ start: '2027-01-01', end: '2027-01-06' }]);
    expect(
      mergeRanges([
        { start: '2027-01-01', end: '2027-01-09' },
        { start: '2027-01-05', end: '2027-01-07' },
      ]),
    ).toEqual([{ start: '2027-01-01', end: '2027-01-09' }]);
    expect(addExcluded([day('2027-02-16')], day('2027-02-17'), window)).toEqual({
      ranges: [{ start: '2027-02-16', end: '2027-02-17' }],
    });
  });

  it('does not join ranges with a gap of one day', () => {
    expect(mergeRanges([day('2027-02-16'), day('2027-02-18')])).toHaveLength(2);
  });

  // spec: 5.2.14, 5.2.15, 5.2.16
  it('explains why an entry cannot be added', () => {
    expect(addExcluded([], { start: '2027-01-01', end: null }, window)).toEqual({ problem: 'incomplete' });
    expect(addExcluded([], { start: '2027-01-05', end: '2027-01-01' }, window)).toEqual({ problem: 'endBeforeStart' });
    expect(addExcluded([], day('2027-04-01'), window)).toEqual({ problem: 'outOfRange' });
    expect(addExcluded([], { start: '2026-11-30', end: '2026-12-02' }, window)).toEqual({ problem: 'outOfRange' });
  });

  // spec: 5.2.23
  it('removes one group and counts days', () => {
    const ranges = [{ start: '2026-12-24', end: '2027-01-03' }, day('2027-02-05')];
    expect(totalDays(ranges)).toBe(12);
    expect(removeExcluded(ranges, day('2027-02-05'))).toEqual([{ start: '2026-12-24', end: '2027-01-03' }]);
    expect(allWithin(ranges, window)).toBe(true);
    expect(allWithin(ranges, { start: '2026-12-25', end: '2027-03-31' })).toBe(false);
  });

  it('cuts ranges to a shorter window, and keeps every date inside it', () => {
    const ranges = [{ start: '2026-12-10', end: '2027-01-03' }, day('2027-02-05'), day('2026-12-05')];
    expect(cutToWindow(ranges, { start: '2026-12-01', end: '2026-12-15' })).toEqual({
      ranges: [{ start: '2026-12-10', end: '2026-12-15' }, day('2026-12-05')],
      shortened: [{ start: '2026-12-10', end: '2026-12-15' }],
      dropped: [day('2027-02-05')],
    });
  });

  // spec: 3.45, 3.46
  it('reads the three wire formats and writes one object a day', () => {
    const ranges = fromWire([
      '2027-01-01',
      { type: '', date: '2027-01-02' },
      { type: 'range', start: '2027-01-03', end: '2027-01-04' },
      'nonsense',
    ]);
    expect(ranges).toEqual([{ start: '2027-01-01', end: '2027-01-04' }]);
    expect(toWire(ranges)).toEqual(['2027-01-01', '2027-01-02', '2027-01-03', '2027-01-04'].map((date) => ({ type: '', date })));
  });
});

it('shows a range by its ends, and a single day once', () => {
  expect(shortRange(day('2026-12-24'))).toEqual({ start: '2026-12-24', end: null });
  expect(shortRange({ start: '2026-12-28', end: '2027-01-03' })).toEqual({ start: '2026-12-28', end: '2027-01-03' });
});

/** Reference implementation: a set of numbered days, without ranges. */
const FIRST = '2026-12-01';
const DAYS = 121;
const at = (day: number) => addDays(FIRST, day);
const setOf = (ranges: DayRange[]) => {
  const days = new Set<number>();
  for (const range of ranges)
    for (let day = -40; day < DAYS + 40; day += 1) if (range.start <= at(day) && at(day) <= range.end) days.add(day);
  return days;
};

/**
 * Presses in the editor. A press adds a date or a range (perhaps outside of the window or
 * reversed), removes a range, or clears all.
 */
const presses = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('add' as const),
        from: fc.integer({ min: -3, max: DAYS + 2 }),
        days: fc.integer({ min: -2, max: 12 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), nth: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant({ kind: 'clear' as const }) },
  ),
  { maxLength: 40 },
);

function isCanonical(ranges: DayRange[]): boolean {
  return ranges.every((range, index) => {
    const next = ranges[index + 1];
    return range.start <= range.end && (!next || addDays(range.end, 1) < next.start);
  });
}

// spec: 5.2.17, 5.2.18, 5.2.19, 5.2.20, 5.2.21, 5.2.23
it('agrees with a plain set of days whatever is added, removed and cleared', () => {
  fc.assert(
    fc.property(presses, (steps) => {
      let ranges: DayRange[] = [];
      let model = new Set<number>();
      for (const step of steps) {
        if (step.kind === 'clear') {
          ranges = [];
          model = new Set();
        } else if (step.kind === 'remove') {
          const group = ranges[step.nth];
          if (!group) continue;
          for (const day of setOf([group])) model.delete(day);
          ranges = removeExcluded(ranges, group);
        } else {
          const to = step.from + step.days;
          const wanted = Array.from({ length: Math.max(0, step.days + 1) }, (_, n) => step.from + n);
          const result = addExcluded(ranges, { start: at(step.from), end: at(to) }, window);
          const expected =
            step.days < 0
              ? 'endBeforeStart'
              : step.from < 0 || to >= DAYS
                ? 'outOfRange'
                : wanted.every((day) => model.has(day))
                  ? 'duplicate'
                  : null;
          expect('problem' in result ? result.problem : null).toBe(expected);
          if ('ranges' in result) {
            ranges = result.ranges;
            for (const day of wanted) model.add(day);
          }
        }
        expect(setOf(ranges)).toEqual(model);
        expect(isCanonical(ranges)).toBe(true);
        expect(totalDays(ranges)).toBe(model.size);
        expect(allWithin(ranges, window)).toBe(true);
      }
    }),
    { seed: 20261121, numRuns: 300 },
  );
});

// spec: 5.2.22
it('is unchanged after the wire, in any of its formats and in any order', () => {
  const entry = fc.record({ from: fc.nat(DAYS), days: fc.nat(9), shape: fc.constantFrom('text', 'day', 'range') });
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 25 }), (entries) => {
      const wire = entries.flatMap(({ from, days, shape }): ExcludedDate[] => {
        if (shape === 'range') return [{ type: 'range', start: at(from), end: at(from + days) }];
        return [shape === 'text' ? at(from) : { type: '' as const, date: at(from) }];
      });
      const meant = entries.map(({ from, days, shape }) => ({
        start: at(from),
        end: at(shape === 'range' ? from + days : from),
      }));
      const read = fromWire(wire);
      expect(setOf(read)).toEqual(setOf(meant));
      expect(isCanonical(read)).toBe(true);
      expect(fromWire(toWire(read))).toEqual(read);
      expect(fromWire([...wire].reverse())).toEqual(read);
    }),
    { seed: 20261121, numRuns: 200 },
  );
});

it('drops invalid entries, and a range that ends before it starts', () => {
  expect(fromWire(['2026-13-01', { type: 'range', start: '2027-01-09', end: '2027-01-02' }, '2027-01-05'])).toEqual([
    day('2027-01-05'),
  ]);
});
