import { expect, it } from 'vitest';
import { usualHours } from './supportHours.ts';

const summer = Date.parse('2026-07-01T12:00:00Z');
const winter = Date.parse('2026-12-01T12:00:00Z');

it('converts the default hours to Beijing time, by the season in Toronto', () => {
  expect(usualHours('9am-11pm EDT', summer)).toEqual({ from: '21:00', to: '11:00' });
  expect(usualHours('9am-11pm EDT', winter)).toEqual({ from: '22:00', to: '12:00' });
});

it('shows other hours as the operator wrote them', () => {
  expect(usualHours('10am-6pm PST', winter)).toBeNull();
});
