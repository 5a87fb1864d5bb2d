import type { Language } from './language.ts';

/** Zone of public documents, which are built for many readers at once. */
const PUBLIC_ZONE = 'America/Toronto';

/** Names of the most common zones in a sentence. Others have the browser's name. */
const titles: Partial<Record<string, Record<Language, string>>> = {
  [PUBLIC_ZONE]: { en: 'Toronto time', zh: '多伦多时间' },
  'America/Vancouver': { en: 'Vancouver time', zh: '温哥华时间' },
  'Asia/Shanghai': { en: 'Beijing time', zh: '北京时间' },
};

let zone = PUBLIC_ZONE;

/**
 * Returns the IANA name of the zone in which instants are shown. Appointments and slots are never
 * converted: they have their consulate's time.
 */
export const displayZone = () => zone;

/** Sets the zone of instants, at the app's start. */
export function showInstantsIn(name: string): void {
  zone = name;
}

/** Returns the zone of the viewer's clock, or the public one if the browser names none. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || PUBLIC_ZONE;
}

function named(tag: string, style: 'shortGeneric' | 'shortOffset' | 'longGeneric'): string {
  const parts = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: style }).formatToParts();
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone;
}

/**
 * Returns the zone's short name for a time of day: `ET` if it has letters, else its offset,
 * `GMT+8`.
 */
export function zoneMark(language: Language): string {
  if (language === 'zh' && zone === 'Asia/Shanghai') return '北京时间';
  const letters = named('en-CA', 'shortGeneric');
  return /^[A-Z]{2,3}$/.test(letters) ? letters : named('en-CA', 'shortOffset');
}

/**
 * Returns the zone's name in a sentence: `Toronto time`. A zone without a name has its short
 * offset, as everywhere else.
 */
export function zoneTitle(language: Language): string {
  const title = titles[zone]?.[language] ?? named(language === 'zh' ? 'zh-CN' : 'en-CA', 'longGeneric');
  return title.startsWith('GMT') ? zoneMark(language) : title;
}
