import { describe, expect, it } from 'vitest';
import { addExcluded, allWithin, fromWire, mergeRanges, removeExcluded, shortRange, totalDays, toWire } from './excludedDates.ts';

const window = { start: '2026-12-01', end: '2027-03-31' };
const day = (date: string) => ({ start: date, end: date });

describe('excluded dates', () => {
  it('keeps the list sorted whatever the order of adding', () => {
    const first = addExcluded([], day('2027-02-05'), window);
    const both = addExcluded('ranges' in first ? first.ranges : [], day('2026-12-24'), window);
    expect(both).toEqual({ ranges: [day('2026-12-24'), day('2027-02-05')] });
  });

  it('ignores a day that is already excluded, alone or inside a range', () => {
    expect(addExcluded([day('2027-02-05')], day('2027-02-05'), window)).toEqual({ problem: 'duplicate' });
    expect(addExcluded([{ start: '2026-12-24', end: '2027-01-03' }], day('2026-12-31'), window)).toEqual({
      problem: 'duplicate',
    });
  });

  it('swallows single days inside an added range', () => {
    const added = addExcluded([day('2027-01-05'), day('2027-01-20')], { start: '2027-01-01', end: '2027-01-10' }, window);
    expect(added).toEqual({ ranges: [{ start: '2027-01-01', end: '2027-01-10' }, day('2027-01-20')] });
  });

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

  it('leaves a gap of one day open', () => {
    expect(mergeRanges([day('2027-02-16'), day('2027-02-18')])).toHaveLength(2);
  });

  it('says why an entry cannot be added', () => {
    expect(addExcluded([], { start: '2027-01-01', end: null }, window)).toEqual({ problem: 'incomplete' });
    expect(addExcluded([], { start: '2027-01-05', end: '2027-01-01' }, window)).toEqual({ problem: 'endBeforeStart' });
    expect(addExcluded([], day('2027-04-01'), window)).toEqual({ problem: 'outOfRange' });
    expect(addExcluded([], { start: '2026-11-30', end: '2026-12-02' }, window)).toEqual({ problem: 'outOfRange' });
  });

  it('removes one group and counts days', () => {
    const ranges = [{ start: '2026-12-24', end: '2027-01-03' }, day('2027-02-05')];
    expect(totalDays(ranges)).toBe(12);
    expect(removeExcluded(ranges, day('2027-02-05'))).toEqual([{ start: '2026-12-24', end: '2027-01-03' }]);
    expect(allWithin(ranges, window)).toBe(true);
    expect(allWithin(ranges, { start: '2026-12-25', end: '2027-03-31' })).toBe(false);
  });

  it('reads the three shapes of the wire and writes one object a day', () => {
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

it('names the year of days that are not in this one', () => {
  expect(shortRange(day('2026-12-24'), '2026')).toEqual({ start: '12-24', end: null });
  expect(shortRange(day('2027-01-03'), '2026')).toEqual({ start: '2027-01-03', end: null });
  expect(shortRange({ start: '2026-12-28', end: '2027-01-03' }, '2026')).toEqual({ start: '2026-12-28', end: '2027-01-03' });
});
