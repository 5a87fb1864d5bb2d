import { describe, expect, it } from 'vitest';
import type { SeenCalendar } from '../../shared/api/types.ts';
import { breakable } from '../../shared/i18n/format.ts';
import { chartData, dayNumber, tickLabel } from './chartData.ts';
import {
  chartArea,
  labelWidth,
  lineEnds,
  nearestTime,
  placeLabels,
  placeMarks,
  type Scales,
  stepCorners,
  timeFromKey,
} from './chartLayout.ts';

const now = Date.parse('2026-11-24T21:43:00-05:00');
const day = (days: number) => new Date(now - days * 86_400_000).toISOString();
const calendar: SeenCalendar = {
  cities: [],
  series: [
    { facility: 'Ottawa', points: [{ at: day(20), earliest: '2027-06-01' }] },
    { facility: 'Toronto', points: [{ at: day(20), earliest: '2027-05-30' }] },
  ],
  marks: [],
  window: { start: '2026-12-15', end: '2027-03-31' },
  booked: { date: '2027-08-17', facility: 'Toronto' },
  widen: null,
};

/** Computes the layout of a calendar's chart with linear scales. */
function laidOut(over: Partial<SeenCalendar> = {}, wide = true) {
  const shown = { ...calendar, ...over };
  const data = chartData(shown, now, 30);
  const area = chartArea(wide ? 700 : 300, wide ? 330 : 260, wide);
  const scales: Scales = {
    x: (at) => area.left + ((at - data.from) / (data.until - data.from)) * area.width,
    y: (at) => area.top + ((data.max - at) / (data.max - data.min)) * area.height,
  };
  const texts = (width = 150) =>
    placeLabels({ calendar: shown, data, scales, area, widths: { booked: width, window: width }, named: wide });
  return { data, area, scales, texts };
}

describe('the layout of the chart', () => {
  it('has months at the left, times below and names at the right, with less space on a phone', () => {
    expect(chartArea(700, 330, true)).toEqual({ left: 44, top: 18, width: 504, height: 280 });
    expect(chartArea(300, 260, false)).toEqual({ left: 44, top: 18, width: 234, height: 210 });
    expect(chartArea(0, 330, true).width).toBe(1);
  });

  it('holds a date until the next change, and interrupts a line while there is none', () => {
    const scales: Scales = { x: (at) => at, y: (value) => -value };
    expect(stepCorners([0, 10, 20, 30], [5, null, 7, 7], scales)).toEqual([
      { x: 0, y: -5 },
      { x: 10, y: -5 },
      { x: 10, y: null },
      { x: 20, y: -7 },
      { x: 30, y: -7 },
      { x: 30, y: -7 },
    ]);
  });

  it('finds the moment nearest to the pointer', () => {
    const times = [0, 100, 1000];
    expect([-5, 49, 51, 549, 551, 5000].map((left) => nearestTime(times, left, (at) => at))).toEqual([0, 0, 1, 1, 2, 2]);
  });

  it('moves between moments with keys, and starts at an end if none is selected', () => {
    expect(['Home', 'End', 'ArrowLeft', 'ArrowRight'].map((key) => timeFromKey(key, 1, 4))).toEqual([0, 3, 0, 2]);
    expect([timeFromKey('ArrowLeft', 0, 4), timeFromKey('ArrowRight', 3, 4)]).toEqual([0, 3]);
    expect([timeFromKey('ArrowLeft', null, 4), timeFromKey('ArrowRight', null, 4)]).toEqual([3, 0]);
    expect(timeFromKey('Tab', 1, 4)).toBeNull();
  });

  it('places marks near their line, aligns labels at the ends inwards, and omits overlapping labels', () => {
    const marks: SeenCalendar['marks'] = [
      { at: day(20), facility: 'Ottawa', date: '2027-02-05', outcome: 'lost' },
      { at: day(19.9), facility: 'Ottawa', date: '2027-02-07', outcome: 'phantom' },
      { at: day(10), facility: 'Toronto', date: '2027-05-29', outcome: 'excluded' },
      { at: day(0.1), facility: 'Ottawa', date: '2027-01-05', outcome: 'lost' },
    ];
    const { data, area, scales } = laidOut({ marks });
    const placed = placeMarks(data, scales, area);
    expect(placed.map(({ anchor }) => anchor)).toEqual(['start', 'start', 'middle', 'end']);
    expect(placed.map(({ named }) => named)).toEqual([true, false, true, true]);
    expect(placed.map(({ city }) => city)).toEqual([0, 0, 1, 0]);
    const [first, , onLine] = placed;
    expect(first?.thread).toEqual({ from: scales.y(dayNumber('2027-06-01')), to: (first?.top ?? 0) - 6 });
    expect(onLine?.thread).toBeNull();
  });

  it('places the labels of the window and the appointment at the left if there is space', () => {
    const { texts, area, scales } = laidOut();
    const { booked, window } = texts();
    expect(booked).toEqual({ x: area.left + 12, y: scales.y(dayNumber('2027-08-17')) - 8, anchor: 'start' });
    expect(window).toEqual({ x: area.left + 12, y: scales.y(dayNumber('2026-12-15')) - 10, anchor: 'start' });
  });

  it('moves the label of the window away from lines, marks and the label of the appointment', () => {
    const foot = { facility: 'Ottawa', points: [{ at: day(20), earliest: '2026-12-20' }] };
    const { texts, scales } = laidOut({ series: [foot] });
    expect(texts().window?.y).toBe(scales.y(dayNumber('2027-03-31')) + 18);
    const taken = laidOut({ marks: [{ at: day(18), facility: 'Ottawa', date: '2026-12-19', outcome: 'lost' }] });
    expect(taken.texts().window?.y).toBe(taken.scales.y(dayNumber('2027-03-31')) + 18);
    const same = laidOut({ booked: { date: '2026-12-15', facility: 'Toronto' } });
    expect(same.texts().window?.y).not.toBe(same.scales.y(dayNumber('2026-12-15')) - 10);
  });

  it('uses the right side if the left is full, and still places labels if both are full', () => {
    const lines = (dates: string[]) =>
      dates.map((earliest, index) => ({
        facility: `city ${index}`,
        points: [
          { at: day(20), earliest },
          { at: day(10), earliest: null },
        ],
      }));
    const { texts } = laidOut({ series: lines(['2026-12-20', '2027-03-25']) });
    expect(texts(100).window?.anchor).toBe('end');
    expect(texts(2_000).window).toBeDefined();
    expect(laidOut({ window: null, booked: null }).texts()).toEqual({ booked: undefined, window: undefined });
  });

  it('treats Chinese labels as wider than others', () => {
    expect(labelWidth('现约')).toBe(24);
    expect(labelWidth('ab')).toBeCloseTo(13.6);
  });

  it('shows names that never overlap at the ends of lines, and no name if a line is interrupted', () => {
    const gone = {
      facility: 'Montreal',
      points: [
        { at: day(5), earliest: '2027-04-01' },
        { at: day(1), earliest: null },
      ],
    };
    const { data, scales } = laidOut({ series: [...calendar.series, gone] });
    const ends = lineEnds(data, scales.y);
    expect(ends.map(({ facility, city, date }) => [facility, city, date])).toEqual([
      ['Ottawa', 0, '2027-06-01'],
      ['Toronto', 1, '2027-05-30'],
    ]);
    expect(Math.abs((ends[0]?.nameTop ?? 0) - (ends[1]?.nameTop ?? 0))).toBeGreaterThanOrEqual(17);
  });

  it('shows the date before the first time of each day if labels are times', () => {
    const until = Date.parse('2026-11-24T02:00:00-05:00');
    const from = until - 4 * 3_600_000;
    const english = tickLabel([from, from + 1_800_000, until], from, until, 'en');
    expect(english.map(breakable)).toEqual(['11-23 10:00 PM', '10:30 PM', '11-24 2:00 AM']);
    expect(tickLabel([until], from, until, 'zh').map(breakable)).toEqual(['11-24 上午 2:00']);
    expect(tickLabel([now], now - 30 * 86_400_000, now, 'en')).toEqual(['11-24']);
  });
});
