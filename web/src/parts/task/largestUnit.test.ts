import { expect, it } from 'vitest';
import { largestUnit } from './largestUnit.ts';

it('returns the largest unit of which at least one has passed, and never rounds up', () => {
  expect(largestUnit(0)).toEqual({ unit: 'minute', count: 1 });
  expect(largestUnit(59)).toEqual({ unit: 'minute', count: 59 });
  expect(largestUnit(119)).toEqual({ unit: 'hour', count: 1 });
  expect(largestUnit(1_439)).toEqual({ unit: 'hour', count: 23 });
  expect(largestUnit(2_879)).toEqual({ unit: 'day', count: 1 });
});
