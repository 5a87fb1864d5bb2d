import { expect, it } from 'vitest';
import { minutesBetween } from './elapsed.ts';

it('counts whole minutes, and returns 0 for a time in the future', () => {
  expect(minutesBetween(0, 119_999)).toBe(1);
  expect(minutesBetween(120_000, 0)).toBe(0);
});
