import { describe, expect, it } from 'vitest';
import { appointment, doneTask, task } from '../../../mock/story.ts';
import { breakable } from '../../shared/i18n/format.ts';
import { appointmentLine, fingerprintsLine } from './headline.ts';
import { gainedDays } from './taskView.ts';

describe('the line of an appointment', () => {
  const one = appointment({ appointment_date: '2026-12-22', appointment_time: '07:45' });
  it.each([
    ['zh', '蒙特利尔', '2026-12-22（周二）上午 7:45 · 蒙特利尔'],
    ['en', 'Montreal', '2026-12-22 (Tue) 7:45 AM · Montreal'],
    ['en', 'Ciudad Juarez', '2026-12-22 (Tue) 7:45 AM · Ciudad Juarez'],
  ] as const)('in %s has date, weekday, time and city', (language, city, line) => {
    const written = appointmentLine(one, city, language) ?? '';
    expect(breakable(written)).toBe(line);
    expect(written.split(' '), 'it breaks before the city alone').toHaveLength(2);
  });

  it('omits what is unknown', () => {
    expect(breakable(appointmentLine({ ...one, appointment_time: null }, null, 'en') ?? '')).toBe('2026-12-22 (Tue)');
    expect(breakable(appointmentLine({ ...one, appointment_time: null }, '温哥华', 'zh') ?? '')).toBe(
      '2026-12-22（周二） · 温哥华',
    );
    expect(appointmentLine({ ...one, appointment_date: null }, 'Montreal', 'en')).toBeNull();
  });
});

it('formats a fingerprint appointment like an interview, with the name of its city', () => {
  const one = { date: '2027-02-05', time: '07:30', city: 'Bogota', city_zh: '波哥大' };
  expect(breakable(fingerprintsLine(one, 'zh'))).toBe('2027-02-05（周五）上午 7:30 · 波哥大');
  expect(breakable(fingerprintsLine(one, 'en'))).toBe('2027-02-05 (Fri) 7:30 AM · Bogota');
});

describe('the days gained', () => {
  it('are counted from the first appointment to the present one', () => {
    expect(gainedDays(doneTask)).toBe(159);
  });

  it('are null before a booking, without a date, and after a move to a later date', () => {
    expect(gainedDays(task({ id: 'a' }))).toBeNull();
    expect(gainedDays({ ...doneTask, appointments: [appointment({ appointment_date: null })] })).toBeNull();
    expect(gainedDays({ ...doneTask, appointments: [appointment({ appointment_date: '2039-01-01' })] })).toBeNull();
  });
});
