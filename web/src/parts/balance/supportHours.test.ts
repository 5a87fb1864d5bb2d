import { expect, it } from 'vitest';
import { usualHours } from './supportHours.ts';

const summer = Date.parse('2026-07-01T12:00:00Z');
const winter = Date.parse('2026-12-01T12:00:00Z');

it('puts the usual hours into Beijing time, by the season of Toronto', () => {
  expect(usualHours('9am-11pm EDT', summer)).toEqual({ from: '21:00', to: '11:00' });
  expect(usualHours('9am-11pm EDT', winter)).toEqual({ from: '22:00', to: '12:00' });
});

it('leaves other hours to the words of the operator', () => {
  expect(usualHours('10am-6pm PST', winter)).toBeNull();
});
