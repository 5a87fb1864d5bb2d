import { instantParts } from '../i18n/format.ts';
import { addDays, type CivilDate } from './dates.ts';

const MINUTE_MS = 60_000;

/** Minutes the display zone is ahead of UTC at a moment (ms). */
function offsetMinutes(ms: number): number {
  const { date, time } = instantParts(new Date(ms).toISOString());
  return Math.round((Date.parse(`${date}T${time}:00Z`) - Math.floor(ms / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

/** The moment a civil day begins in the display zone (RFC 3339). */
export function dayStart(date: CivilDate): string {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // The offset of the guess may be the one before a change of clocks: asked twice, the second is right.
  const guess = utc - offsetMinutes(utc) * MINUTE_MS;
  return new Date(utc - offsetMinutes(guess) * MINUTE_MS).toISOString();
}

/** The moment a civil day ends there, which is when the next begins. */
export const dayEnd = (date: CivilDate): string => dayStart(addDays(date, 1));
