import { expect, it } from 'vitest';
import { clock, instantParts, instantShort, unbroken, WORD_JOINER } from './format.ts';

it('writes dates as they are and times of day by halves', () => {
  expect(['00:00', '09:05', '12:00', '12:30', '23:59'].map((time) => clock(time, 'en'))).toEqual([
    '12:00 AM',
    '9:05 AM',
    '12:00 PM',
    '12:30 PM',
    '11:59 PM',
  ]);
  expect(['00:30', '14:05'].map((time) => clock(time, 'zh'))).toEqual(['上午 12:30', '下午 2:05']);
  expect(unbroken('2027-02-09').replaceAll(WORD_JOINER, '')).toBe('2027-02-09');
  expect(instantParts('2026-11-25T02:43:00Z')).toEqual({ date: '2026-11-24', time: '21:43' });
  expect(instantShort('2026-11-25T02:43:00Z', 'zh').replaceAll(WORD_JOINER, '')).toBe('11-24 下午 9:43');
});
