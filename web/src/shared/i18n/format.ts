import { displayZone, zoneMark } from './displayZone.ts';
import type { Language } from './language.ts';

/** Invisible character that forbids a line break. */
export const WORD_JOINER = '\u2060';

const NO_BREAK = '\u00a0';

/** Prevents line breaks at the hyphens of dates within a text. */
export function unbroken(text: string): string {
  return text.replace(/(\d)-(?=\d)/g, `$1-${WORD_JOINER}`);
}

/**
 * Removes the invisible characters that control line breaks, for a text that is written to a file.
 */
export function breakable(text: string): string {
  return text.replaceAll(WORD_JOINER, '').replaceAll(NO_BREAK, ' ');
}

/** Forbids line breaks within a date, a range, or a number with its unit. */
export function inOnePiece(text: string): string {
  return unbroken(text).replaceAll(' ', NO_BREAK);
}

const locale: Record<Language, string> = { en: 'en-CA', zh: 'zh-CN' };

/**
 * Creates a value at the first call and caches it. Creating a formatter is slow, and a calendar
 * formats hundreds of dates.
 */
function kept<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const money = kept(() => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const whole = kept(() => new Intl.NumberFormat('en-US'));
/** Creates a formatter of instants in a time zone. */
const written = (zone: string) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
/** Cached formatter of instants in the display zone. */
let instants: { zone: string; format: Intl.DateTimeFormat; marks: Record<Language, string> } | undefined;
function inDisplayZone() {
  const zone = displayZone();
  if (instants?.zone !== zone) {
    instants = { zone, format: written(zone), marks: { en: zoneMark('en'), zh: zoneMark('zh') } };
  }
  return instants;
}
/** Creates a formatter of civil dates that shows these parts. */
const dates = (tag: string, parts: Intl.DateTimeFormatOptions) =>
  kept(() => new Intl.DateTimeFormat(tag, { ...parts, timeZone: 'UTC' }));
const weekdays: Record<Language, () => Intl.DateTimeFormat> = {
  en: dates(locale.en, { weekday: 'short' }),
  zh: dates(locale.zh, { weekday: 'short' }),
};
const months = dates(locale.en, { month: 'short' });
const days = dates(locale.en, { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' });

/** Formats an amount of money without its currency: `1,234.50`. */
export function amount(value: number): string {
  return money().format(value);
}

/** Formats a count with thousands separators. */
export function count(value: number): string {
  return whole().format(value);
}

/** Formats a 24-hour time of day (`14:05`) as `2:05 PM` or `下午 2:05`, without a line break. */
export function clock(time: string, language: Language): string {
  return clockOf(halfDay(time), language);
}

/** Formats a 12-hour time such as `2:05` with AM or PM, without a line break. */
export function clockOf({ afternoon, hour }: { afternoon: boolean; hour: string }, language: Language): string {
  const half = halfName(afternoon, language);
  return language === 'zh' ? `${[...half].join(WORD_JOINER)}${NO_BREAK}${hour}` : `${hour}${NO_BREAK}${half}`;
}

const halfName = (afternoon: boolean, language: Language) =>
  language === 'zh' ? (afternoon ? '下午' : '上午') : afternoon ? 'PM' : 'AM';

/** Converts a 24-hour time to a 12-hour time: `14:05` becomes `2:05` with `afternoon: true`. */
export function halfDay(time: string): { afternoon: boolean; hour: string } {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return { afternoon: hours >= 12, hour: `${hours % 12 === 0 ? 12 : hours % 12}:${String(minutes).padStart(2, '0')}` };
}

/** Returns the date and the 24-hour time of an instant in the display zone. */
export function instantParts(instant: string): { date: string; time: string } {
  return partsOf(inDisplayZone().format, new Date(instant));
}

function partsOf(format: Intl.DateTimeFormat, at: Date): { date: string; time: string } {
  const parts = format.formatToParts(at);
  const part = (type: string) => parts.find((piece) => piece.type === type)?.value ?? '';
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

/**
 * Formats an instant in another zone, as `2026-11-08 下午 5:41`. Returns null if that zone has the
 * same time as the display zone.
 */
export function instantThere(instant: string, zone: string, language: Language): string | null {
  const at = new Date(instant);
  const format = written(zone);
  if (format.format(at) === inDisplayZone().format.format(at)) return null;
  const { date, time } = partsOf(format, at);
  return `${unbroken(date)} ${clock(time, language)}`;
}

/**
 * Returns the date in the display zone at a moment (ms). It is *today* for events, but not for
 * appointments.
 */
export function displayToday(nowMs: number): string {
  return instantParts(new Date(nowMs).toISOString()).date;
}

/** Returns the short name of the display zone: `ET`, `北京时间`, `GMT+8`. */
export function zoneName(language: Language): string {
  return inDisplayZone().marks[language];
}

/**
 * Appends the name of the display zone to a time. Times of appointments have no zone name, because
 * they are local to the consulate.
 */
export function zoned(time: string, language: Language): string {
  return `${time}${NO_BREAK}${zoneName(language)}`;
}

/** Formats the time of an instant in the display zone: `下午 8:41 ET`. */
export function instantClock(instant: string, language: Language): string {
  return zoned(clock(instantParts(instant).time, language), language);
}

/** Formats an instant with date and time: `2026-11-08 下午 8:41 ET`. */
export function instantInFull(instant: string, language: Language): string {
  return `${unbroken(instantParts(instant).date)} ${instantClock(instant, language)}`;
}

/**
 * Formats an instant without its date if that is today: `下午 8:41 ET`, else `2026-11-08 下午 8:41 ET`.
 */
export function instantShort(instant: string, language: Language): string {
  const today = instantParts(instant).date === displayToday(Date.now());
  return today ? instantClock(instant, language) : instantInFull(instant, language);
}

/** Returns the short weekday of a date. */
export function weekday(date: string, language: Language): string {
  return weekdays[language]().format(new Date(`${date}T00:00:00Z`));
}

/** Returns the short name of a weekday by its number, 1 (Monday) to 7. */
export function weekdayNamed(number: number, language: Language): string {
  return weekday(`2026-11-${22 + number}`, language);
}

/** Returns the short name of a date's month. */
export function monthName(date: string, language: Language): string {
  return language === 'zh' ? `${Number(date.slice(5, 7))} 月` : months().format(new Date(`${date}T00:00:00Z`));
}

/** Joins names with the separator of the language: `A、B` or `A, B`. */
export function joined(names: string[], language: Language): string {
  return names.join(language === 'zh' ? '、' : ', ');
}

/** Joins sentences, with a space between them except in Chinese. */
export function sentences(parts: (string | false | null)[], language: Language): string {
  return parts.filter(Boolean).join(language === 'zh' ? '' : ' ');
}

/** Returns the heading of a calendar column: `一` or `Mo`. */
export function weekdayLetter(date: string, language: Language): string {
  return language === 'zh' ? weekday(date, 'zh').slice(-1) : weekday(date, 'en').slice(0, 2);
}

/** Formats a date's year and month: `2027 年 2 月` or `Feb 2027`. */
export function yearMonth(date: string, language: Language): string {
  return language === 'zh'
    ? `${date.slice(0, 4)} 年 ${Number(date.slice(5, 7))} 月`
    : `${monthName(date, 'en')} ${date.slice(0, 4)}`;
}

/** Formats a date in full with its weekday: `2027 年 2 月 5 日 周五` or `Fri, Feb 5, 2027`. */
export function dateInFull(date: string, language: Language): string {
  if (language === 'zh') return `${yearMonth(date, 'zh')} ${Number(date.slice(8))} 日 ${weekday(date, 'zh')}`;
  return days().format(new Date(`${date}T00:00:00Z`));
}
