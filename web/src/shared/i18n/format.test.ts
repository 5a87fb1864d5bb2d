import { afterEach, expect, it } from 'vitest';
import { showInstantsIn, zoneTitle } from './displayZone.ts';
import { breakable, clock, displayToday, instantInFull, instantParts, instantThere, unbroken } from './format.ts';

afterEach(() => showInstantsIn('America/Toronto'));

// spec: 9.41
it('writes dates unchanged and times of day by halves', () => {
  expect(['00:00', '09:05', '12:00', '12:30', '23:59'].map((time) => breakable(clock(time, 'en')))).toEqual([
    '12:00 AM',
    '9:05 AM',
    '12:00 PM',
    '12:30 PM',
    '11:59 PM',
  ]);
  expect(['00:30', '14:05'].map((time) => breakable(clock(time, 'zh')))).toEqual(['上午 12:30', '下午 2:05']);
  expect(breakable(unbroken('2027-02-09'))).toBe('2027-02-09');
  expect(instantParts('2026-11-25T02:43:00Z')).toEqual({ date: '2026-11-24', time: '21:43' });
  expect(breakable(instantInFull('2026-11-25T02:43:00Z', 'zh'))).toBe('2026-11-24 下午 9:43 ET');
});

it('allows no line break within a time of day', () => {
  expect(clock('09:15', 'zh')).toBe('上\u2060午\u00a09:15');
  expect(clock('21:15', 'en')).toBe('9:15\u00a0PM');
});

it('shows events in the viewer’s time zone, with the name of the zone', () => {
  const instant = '2026-11-25T02:43:00Z';
  const shown = (zone: string, language: 'en' | 'zh') => {
    showInstantsIn(zone);
    return breakable(instantInFull(instant, language));
  };
  expect(shown('Asia/Shanghai', 'zh')).toBe('2026-11-25 上午 10:43 北京时间');
  expect(shown('Asia/Shanghai', 'en')).toBe('2026-11-25 10:43 AM GMT+8');
  expect(zoneTitle('en')).toBe('Beijing time');
  expect(displayToday(Date.parse(instant))).toBe('2026-11-25');
  expect(shown('America/Halifax', 'en')).toBe('2026-11-24 10:43 PM AT');
  expect(shown('Europe/Paris', 'zh')).toBe('2026-11-25 上午 3:43 GMT+1');
  expect(zoneTitle('en')).toBe('Central European Time');
});

it('shows the consulate’s time only if it differs from the viewer’s', () => {
  const deadline = '2026-12-18T20:30:00Z';
  expect(instantThere(deadline, 'America/Montreal', 'en')).toBeNull();
  showInstantsIn('Asia/Shanghai');
  expect(breakable(instantThere(deadline, 'America/Toronto', 'zh') ?? '')).toBe('2026-12-18 下午 3:30');
});
