import { instantParts } from '../i18n/format.ts';
import { addDays, type CivilDate } from './dates.ts';

const MINUTE_MS = 60_000;

/** Returns the offset of the display zone from UTC at a moment, in minutes. */
function offsetMinutes(ms: number): number {
  const { date, time } = instantParts(new Date(ms).toISOString());
  return Math.round((Date.parse(`${date}T${time}:00Z`) - Math.floor(ms / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

/** Returns the instant at which a date begins in the display zone (RFC 3339). */
export function dayStart(date: CivilDate): string {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // The first result may use the offset before a change of the clocks. The second result is
  // correct.
  const guess = utc - offsetMinutes(utc) * MINUTE_MS;
  return new Date(utc - offsetMinutes(guess) * MINUTE_MS).toISOString();
}

/**
 * Returns the instant at which a date ends in the display zone. It is the start of the next date.
 */
export const dayEnd = (date: CivilDate): string => dayStart(addDays(date, 1));
