import { instantParts } from '../i18n/format.ts';
import { addDays, type CivilDate } from './dates.ts';

const MINUTE_MS = 60_000;

/** Returns the minutes by which the display zone is ahead of UTC at a moment (ms). */
function offsetMinutes(ms: number): number {
  const { date, time } = instantParts(new Date(ms).toISOString());
  return Math.round((Date.parse(`${date}T${time}:00Z`) - Math.floor(ms / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

/** Returns the start of a civil day in the display zone (RFC 3339). */
export function dayStart(date: CivilDate): string {
  const utc = Date.parse(`${date}T00:00:00Z`);
  // The guess may have the offset before a clock change. The second computation is right.
  const guess = utc - offsetMinutes(utc) * MINUTE_MS;
  return new Date(utc - offsetMinutes(guess) * MINUTE_MS).toISOString();
}

/** Returns the end of a civil day there, which is the start of the next. */
export const dayEnd = (date: CivilDate): string => dayStart(addDays(date, 1));
