import type { Language } from './language.ts';

/** The zone of documents for everybody, which are filled for many readers at once. */
const PUBLIC_ZONE = 'America/Toronto';

/** How the commonest zones are named in a sentence; others have the browser's name. */
const titles: Partial<Record<string, Record<Language, string>>> = {
  [PUBLIC_ZONE]: { en: 'Toronto time', zh: '多伦多时间' },
  'America/Vancouver': { en: 'Vancouver time', zh: '温哥华时间' },
  'Asia/Shanghai': { en: 'Beijing time', zh: '北京时间' },
};

let zone = PUBLIC_ZONE;

/** The IANA name of the zone that instants are shown in. Appointments and slots are never converted: they have their consulate's time. */
export const displayZone = () => zone;

/** Shows instants in the named zone, from the app's start on. */
export function showInstantsIn(name: string): void {
  zone = name;
}

/** The zone of the viewer's clock, or the public one where the browser names none. */
export function viewerZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || PUBLIC_ZONE;
}

function named(tag: string, style: 'shortGeneric' | 'shortOffset' | 'longGeneric'): string {
  const parts = new Intl.DateTimeFormat(tag, { timeZone: zone, timeZoneName: style }).formatToParts();
  return parts.find((part) => part.type === 'timeZoneName')?.value ?? zone;
}

/** The zone's name beside a time of day: `ET` where it has letters of its own, else its offset, `GMT+8`. */
export function zoneMark(language: Language): string {
  if (language === 'zh' && zone === 'Asia/Shanghai') return '北京时间';
  const letters = named('en-CA', 'shortGeneric');
  return /^[A-Z]{2,3}$/.test(letters) ? letters : named('en-CA', 'shortOffset');
}

/** The zone's name in a sentence: `Toronto time`. */
export function zoneTitle(language: Language): string {
  return titles[zone]?.[language] ?? named(language === 'zh' ? 'zh-CN' : 'en-CA', 'longGeneric');
}
