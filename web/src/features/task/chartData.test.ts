import { describe, expect, it } from 'vitest';
import type { SeenCalendar } from '../../shared/api/types.ts';
import {
  chartData,
  chartTable,
  dayNumber,
  earliestAt,
  isShort,
  monthLabels,
  numberDay,
  tickLabel,
  timeTicks,
} from './chartData.ts';
import { spreadLabels } from './spreadLabels.ts';

const now = Date.parse('2026-11-24T21:43:00-05:00');
const calendar: SeenCalendar = {
  cities: [],
  series: [
    {
      facility: 'Ottawa',
      points: [
        { at: '2026-11-10T12:00:00Z', earliest: '2027-06-01' },
        { at: '2026-11-20T12:00:00Z', earliest: '2027-04-22' },
      ],
    },
    {
      facility: 'Toronto',
      points: [
        { at: '2026-11-15T12:00:00Z', earliest: '2027-07-01' },
        { at: '2026-11-22T12:00:00Z', earliest: null },
      ],
    },
  ],
  marks: [
    { at: '2026-11-21T12:00:00Z', facility: 'Ottawa', date: '2027-02-05', outcome: 'excluded' },
    { at: '2026-11-21T13:00:00Z', facility: 'Ottawa', date: '2027-05-09', outcome: 'after_window' },
    { at: '2026-11-12T12:00:00Z', facility: 'Toronto', date: '2027-01-14', outcome: 'lost' },
  ],
  window: { start: '2026-12-15', end: '2027-03-31' },
  booked: { date: '2027-08-17', facility: 'Toronto' },
  widen: null,
};

describe('the chart of earliest dates', () => {
  // spec: 10.9.02
  it('keeps a city at its last date until the next change, and leaves gaps while it has none', () => {
    const data = chartData(calendar, now, 30);
    const [ottawa, toronto] = data.series;
    const at = (instant: string) => data.times.indexOf(Date.parse(instant));
    expect(ottawa?.values[at('2026-11-15T12:00:00Z')]).toBe(dayNumber('2027-06-01'));
    expect(ottawa?.values.at(-1)).toBe(dayNumber('2027-04-22'));
    expect(toronto?.values[at('2026-11-10T12:00:00Z')]).toBeNull();
    expect(toronto?.values.at(-1)).toBeNull();
    expect([ottawa?.last, toronto?.last]).toEqual(['2027-04-22', null]);
    expect(earliestAt([], now)).toBeNull();
  });

  // spec: 10.9.02
  it('starts with the first poll of a young task, and with the span of an old one', () => {
    expect(chartData(calendar, now, 90).from).toBe(Date.parse('2026-11-10T12:00:00Z'));
    const week = chartData(calendar, now, 7);
    expect([week.from, week.times[0]]).toEqual([now - 7 * 86_400_000, now - 7 * 86_400_000]);
    // The last change before the period is the start of the line.
    expect(week.series[0]?.values[0]).toBe(dayNumber('2027-06-01'));
  });

  // spec: 10.9.15
  it('draws no line after the last poll of a city, if no other has followed for hours', () => {
    const polls = { Ottawa: '2026-11-21T12:00:00Z', Toronto: new Date(now - 3_600_000).toISOString() };
    const data = chartData(calendar, now, 30, polls);
    const [ottawa] = data.series;
    const last = data.times.indexOf(Date.parse(polls.Ottawa));
    expect(ottawa?.values[last]).toBe(dayNumber('2027-04-22'));
    expect(ottawa?.values.slice(last + 1).every((value) => value === null)).toBe(true);
    const recent = chartData(calendar, now, 30, { Ottawa: polls.Toronto });
    expect(recent.series[0]?.values.at(-1)).toBe(dayNumber('2027-04-22'));
  });

  // spec: 10.9.16
  it('labels years where they are not the present one, or change', () => {
    const ticks = ['2026-12-01', '2027-01-01', '2027-02-01'].map(dayNumber);
    expect(monthLabels(ticks, now, 'en')).toEqual(['Dec', 'Jan\n2027', 'Feb']);
    expect(monthLabels(ticks.slice(1), now, 'zh')).toEqual(['1 月\n2027', '2 月']);
    const until = Date.parse('2027-01-10T12:00:00Z');
    const days = [Date.parse('2026-12-30T12:00:00Z'), Date.parse('2027-01-05T12:00:00Z')];
    expect(tickLabel(days, days[0] ?? 0, until, 'en')).toEqual(['2026-12-30', '2027-01-05']);
    expect(tickLabel(days.slice(1), days[1] ?? 0, until, 'en')).toEqual(['01-05']);
  });

  // spec: 10.9.02
  it('marks short-lived dates within the criteria at their city, and omits those outside the window', () => {
    const data = chartData(calendar, now, 30);
    expect(data.marks.map((mark) => [mark.date, mark.outcome, mark.from && numberDay(mark.from)])).toEqual([
      ['2027-01-14', 'lost', null],
      ['2027-02-05', 'excluded', '2027-04-22'],
    ]);
    expect(chartData(calendar, now, 7).marks.map((mark) => mark.outcome)).toEqual(['excluded']);
  });

  // spec: 10.9.02
  it('fits the window, the appointment and every line, and labels whole months at its side', () => {
    const data = chartData(calendar, now, 30);
    expect(data.min).toBeLessThan(dayNumber('2026-12-15'));
    expect(data.max).toBeGreaterThan(dayNumber('2027-08-17'));
    expect(data.ticks.length).toBeLessThanOrEqual(5);
    expect(data.ticks.map(numberDay).every((date) => date.endsWith('-01'))).toBe(true);
    const days = timeTicks(data.from, data.until, 6);
    expect(days.length).toBeLessThanOrEqual(6);
    expect(days.every((at) => at >= data.from && at <= data.until)).toBe(true);
  });

  // spec: 10.9.02
  it('draws the first hours of a task over their own span, with times below', () => {
    const points = [{ at: new Date(now - 600_000).toISOString(), earliest: '2027-04-22' }];
    const young = chartData({ ...calendar, series: [{ facility: 'Ottawa', points }], marks: [] }, now, 30);
    expect([now - young.from, isShort(young.from, young.until)]).toEqual([3_600_000, true]);
    const ticks = timeTicks(young.from, young.until, 4);
    expect([ticks.length, ticks.every((at) => at > young.from && at < young.until)]).toEqual([4, true]);
  });

  it('draws nothing for a task without seen dates', () => {
    const empty = chartData({ ...calendar, series: [], marks: [], window: null, booked: null }, now, 30);
    expect([empty.series, empty.marks]).toEqual([[], []]);
  });

  // spec: 10.9.03
  it('has the same content as a table, newest day first, from the first poll on', () => {
    const rows = chartTable(calendar, now, 30);
    expect([rows[0]?.day, rows.at(-1)?.day, rows.length]).toEqual(['2026-11-24', '2026-11-10', 15]);
    expect(rows[0]?.dates).toEqual(['2027-04-22', null]);
    expect(rows.find((row) => row.day === '2026-11-16')?.dates).toEqual(['2027-06-01', '2027-07-01']);
  });

  it('separates names at the ends of lines, and moves no name that has enough space', () => {
    expect(spreadLabels([100, 200], 16)).toEqual([100, 200]);
    const [a = 0, b = 0, c = 0] = spreadLabels([100, 104, 300], 16);
    expect([b - a >= 16, c]).toEqual([true, 300]);
    const packed = spreadLabels([50, 50, 50], 16).sort((x, y) => x - y);
    expect([(packed[1] ?? 0) - (packed[0] ?? 0), (packed[2] ?? 0) - (packed[1] ?? 0)].every((gap) => gap > 12)).toBe(true);
  });
});
