import { describe, expect, it } from 'vitest';
import type { SeenCity, SeenDay } from '../../shared/api/types.ts';
import {
  heatLevel,
  heatMonth,
  heatMonths,
  heatRanges,
  openingCity,
  openingMonth,
  pageStart,
  stepFrom,
  weekdayIndex,
  weekendsSeen,
} from './heatMap.ts';

const seen = (date: string, times: number, last = '2026-11-20T12:00:00Z'): SeenDay => ({
  date,
  times,
  first_seen_at: last,
  last_seen_at: last,
  wanted: false,
  why: null,
  margin_days: null,
});
const city = (facility: string, days: SeenDay[]): SeenCity => ({ facility, now_earliest: null, days });
const window = { start: '2026-12-15', end: '2027-03-31' };
const excluded = [{ start: '2026-12-24', end: '2027-01-03' }];
const facts = { window, excluded, weekdays: [], booked: null, weekends: false };

describe('the heat map', () => {
  // spec: 10.9.04
  it('has levels from 0, 1, 4, 11 and 31 polls', () => {
    expect([0, 1, 3, 4, 10, 11, 30, 31, 500].map(heatLevel)).toEqual([0, 1, 1, 2, 2, 3, 3, 4, 4]);
    expect(heatRanges).toEqual(['0', '1-3', '4-10', '11-30', '31+']);
  });

  // spec: 10.9.04
  it('has five columns until a weekend date was seen', () => {
    expect(weekendsSeen([city('Ottawa', [seen('2027-02-05', 3)])])).toBe(false);
    expect(weekendsSeen([city('Ottawa', [seen('2027-02-06', 1)])])).toBe(true);
    const five = heatMonth('2027-02-01', city('Ottawa', []), facts);
    expect([five.blanks, five.cells.length]).toEqual([0, 20]);
    expect(five.cells.every((cell) => weekdayIndex(cell.date) < 5)).toBe(true);
    const seven = heatMonth('2027-05-01', city('Ottawa', []), { ...facts, weekends: true });
    expect([seven.blanks, seven.cells.length]).toEqual([5, 31]);
  });

  it('starts with an empty column for each weekday before the first of the month, also if that is on a weekend', () => {
    expect(heatMonth('2026-12-01', city('Ottawa', []), facts).blanks).toBe(1);
    expect(heatMonth('2027-05-01', city('Ottawa', []), facts)).toMatchObject({ blanks: 0, cells: { 0: { date: '2027-05-03' } } });
  });

  // spec: 10.9.04
  it('distinguishes the window, excluded days, booked days and how often a day was seen', () => {
    const booked = { date: '2026-12-17', facility: 'Ottawa' };
    const days = [seen('2026-12-10', 2), seen('2026-12-24', 12)];
    const month = heatMonth('2026-12-01', city('Ottawa', days), { ...facts, booked });
    const on = (date: string) => month.cells.find((cell) => cell.date === date);
    expect(on('2026-12-10')).toMatchObject({ times: 2, level: 1, inWindow: false, excluded: false, booked: false });
    expect(on('2026-12-24')).toMatchObject({ level: 3, inWindow: true, excluded: true });
    expect(on('2026-12-17')).toMatchObject({ level: 0, inWindow: true, booked: true });
    const elsewhere = heatMonth('2026-12-01', city('Toronto', []), { ...facts, booked });
    expect(elsewhere.cells.some((cell) => cell.booked)).toBe(false);
  });

  it('marks weekdays that are not accepted like excluded dates', () => {
    const { cells } = heatMonth('2026-12-01', city('Ottawa', []), { ...facts, excluded: [], weekdays: [1, 3] });
    const accepted = cells.filter((cell) => !cell.excluded).map((cell) => weekdayIndex(cell.date));
    expect(new Set(accepted)).toEqual(new Set([0, 2]));
    expect(accepted).toHaveLength(9);
  });

  // spec: 10.9.04
  it('shows the months of the window and of every date seen, page by page, beginning with the window', () => {
    const calendar = { cities: [city('Ottawa', [seen('2026-11-30', 1), seen('2027-06-01', 1)])], booked: null };
    const months = heatMonths(calendar, window);
    expect([months[0], months.at(-1), months.length]).toEqual(['2026-11-01', '2027-06-01', 8]);
    expect(pageStart(months, window.start, 5)).toBe(1);
    expect(pageStart(months, '2027-06-15', 5)).toBe(3);
    expect(pageStart(months, '2030-01-01', 5)).toBe(0);
    expect(pageStart(months.slice(0, 2), window.start, 5)).toBe(0);
  });

  // spec: 10.9.05
  it('opens on a phone at the month of the newest date seen inside the window', () => {
    const days = [
      seen('2027-02-05', 1, '2026-11-21T05:40:00Z'),
      seen('2027-01-14', 1),
      seen('2027-04-22', 9, '2026-11-24T00:00:00Z'),
    ];
    expect(openingMonth(city('Ottawa', days), window)).toBe('2027-02-05');
    expect(openingMonth(city('Ottawa', []), window)).toBe('2026-12-15');
    expect(openingMonth(undefined, window)).toBe('2026-12-15');
  });

  it('opens at the city whose date inside the window was seen last, else at the first', () => {
    const early = city('Toronto', [seen('2027-01-14', 1, '2026-11-20T00:00:00Z')]);
    const late = city('Ottawa', [seen('2027-01-15', 1, '2026-11-21T00:00:00Z')]);
    const outside = city('Calgary', [seen('2028-01-15', 1, '2026-11-25T00:00:00Z')]);
    expect(openingCity([outside, early, late], window)).toBe(late);
    expect(openingCity([early, outside], window)).toBe(early);
    expect(openingCity([outside], window)).toBe(outside);
    expect(openingCity([], window)).toBeUndefined();
  });

  // spec: 10.9.05
  it('moves by the arrow keys across weekends and months, and stops at the ends', () => {
    const shown = ['2026-12-01', '2027-01-01']
      .flatMap((month) => heatMonth(month, city('Ottawa', []), facts).cells)
      .map((cell) => cell.date);
    expect(stepFrom('2026-12-04', 'ArrowRight', shown)).toBe('2026-12-07');
    expect(stepFrom('2026-12-31', 'ArrowRight', shown)).toBe('2027-01-01');
    expect(stepFrom('2027-01-04', 'ArrowUp', shown)).toBe('2026-12-28');
    expect(stepFrom('2026-12-01', 'ArrowLeft', shown)).toBeNull();
    expect(stepFrom('2027-01-29', 'ArrowDown', shown)).toBeNull();
    expect([stepFrom('2026-12-09', 'Home', shown), stepFrom('2026-12-09', 'End', shown)]).toEqual(['2026-12-01', '2027-01-29']);
    expect(stepFrom('2026-12-09', 'a', shown)).toBeNull();
  });
});
