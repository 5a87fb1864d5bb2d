import type { Language } from './language.ts';

/**
 * Time zone of public documents. A document is built once for all readers, so it cannot use the
 * zone of the reader.
 */
const PUBLIC_ZONE = 'America/Toronto';

/**
 * Names of common time zones, as used within a sentence. For other zones the browser provides the
 * name.
 */
const titles: Partial<Record<string, Record<Language, string>>> = {
  [PUBLIC_ZONE]: { en: 'Toronto time', zh: '多伦多时间' },
  'America/Vancouver': { en: 'Vancouver time', zh: '温哥华时间' },
  'Asia/Shanghai': { en: 'Beijing time', zh: '北京时间' },
};

let zone = PUBLIC_ZONE;

/**
 * Returns the IANA name of the zone in which instants are displayed. Appointment times are never
 * converted, because they are local times of the consulate.
 */
export const displayZone = () => zone;

/** Sets the display zone. The app calls it at its start. */
export function showInstantsIn(name: string): void {
  zone = name;
}

/** Returns the time zone of the viewer's device, or the public zone if the browser reports none. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || PUBLIC_ZONE;
}

function named(tag: string, style: 'shortGeneric' | 'shortOffset' | 'longGeneric'): string {
  const parts = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: style }).formatToParts();
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone;
}

/**
 * Returns the short name of the display zone for a time: `ET` if there are letters, else the
 * offset, such as `GMT+8`.
 */
export function zoneMark(language: Language): string {
  if (language === 'zh' && zone === 'Asia/Shanghai') return '北京时间';
  const letters = named('en-CA', 'shortGeneric');
  return /^[A-Z]{2,3}$/.test(letters) ? letters : named('en-CA', 'shortOffset');
}

/**
 * Returns the name of the display zone for a sentence, such as `Toronto time`. A zone without a
 * name is called by its offset.
 */
export function zoneTitle(language: Language): string {
  const title = titles[zone]?.[language] ?? named(language === 'zh' ? 'zh-CN' : 'en-CA', 'longGeneric');
  return title.startsWith('GMT') ? zoneMark(language) : title;
}
