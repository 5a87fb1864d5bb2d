import type { Appointment, Fingerprints } from '../../shared/api/types.ts';
import { clock, inOnePiece, weekday } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';

/**
 * Formats an appointment in one line, such as `2026-12-22 (Tue) 7:45 AM · Montreal`. It wraps only
 * before the city. Returns null without a date. The time is local to the consulate.
 */
export function appointmentLine(
  { appointment_date: date, appointment_time: time }: Pick<Appointment, 'appointment_date' | 'appointment_time'>,
  city: string | null,
  language: Language,
): string | null {
  if (!date) return null;
  const name = weekday(date, language);
  const parts =
    language === 'zh' ? [`${date}（${name}）`, time && clock(time, 'zh')] : [date, `(${name})`, time && clock(time, 'en')];
  const when = inOnePiece(parts.filter(Boolean).join(language === 'zh' ? '' : ' '));
  return city ? `${when}\u00a0· ${inOnePiece(city)}` : when;
}

/** Formats a fingerprint appointment like an interview: `2026-12-20 (Sun) 8:00 AM · Bogota`. */
export function fingerprintsLine({ date, time, city, city_zh }: Fingerprints, language: Language): string {
  const at = { appointment_date: date, appointment_time: time };
  return appointmentLine(at, language === 'zh' ? city_zh : city, language) ?? '';
}
