import { displayZone } from '../../shared/i18n/displayZone.ts';
import { zoned } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';

/** Formats the time of an instant with seconds: `12:01:03 ET`. */
export function secondsClock(instant: string, language: Language): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: displayZone(),
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  return zoned(format.format(new Date(instant)), language);
}
