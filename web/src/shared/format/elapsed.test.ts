import { expect, it } from 'vitest';
import { largestUnit, minutesBetween } from './elapsed.ts';

it('counts whole minutes, and none into the future', () => {
  expect(minutesBetween(0, 119_999)).toBe(1);
  expect(minutesBetween(120_000, 0)).toBe(0);
});

it('names the largest unit that is full, and never rounds up', () => {
  expect(largestUnit(0)).toEqual({ unit: 'minute', count: 1 });
  expect(largestUnit(59)).toEqual({ unit: 'minute', count: 59 });
  expect(largestUnit(119)).toEqual({ unit: 'hour', count: 1 });
  expect(largestUnit(1_439)).toEqual({ unit: 'hour', count: 23 });
  expect(largestUnit(2_879)).toEqual({ unit: 'day', count: 1 });
});
