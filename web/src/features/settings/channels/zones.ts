import type { TextKey } from '../../../shared/i18n/textKey.ts';

/** Texts of common time zones. Other zones are shown with their IANA names. */
const names = {
  'America/Toronto': 'reach.zone.toronto',
  'America/Vancouver': 'reach.zone.vancouver',
  'America/Edmonton': 'reach.zone.calgary',
  'America/Winnipeg': 'reach.zone.winnipeg',
  'America/Halifax': 'reach.zone.halifax',
  'America/St_Johns': 'reach.zone.stJohns',
  'Asia/Shanghai': 'reach.zone.beijing',
} as const satisfies Record<string, TextKey>;

const known = (zone: string): zone is keyof typeof names => zone in names;

/** Returns the text of a zone, or null if there is none. */
export const zoneTexts = (zone: string) => (known(zone) ? names[zone] : null);

/** Returns the zones to choose from: the present one, the browser's, and common ones. */
export function zoneChoices(set: string): string[] {
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([set, here, ...Object.keys(names)].filter(Boolean))];
}
