import { displayZone, zoneMark } from './displayZone.ts';
import type { Language } from './language.ts';

/** Invisible; forbids a line break where it stands. */
export const WORD_JOINER = '\u2060';

const NO_BREAK = '\u00a0';

/** Dates within a text never break at their hyphens. */
export function unbroken(text: string): string {
  return text.replace(/(\d)-(?=\d)/g, `$1-${WORD_JOINER}`);
}

/** The text as a file has it: without what only guides the breaking of lines. */
export function breakable(text: string): string {
  return text.replaceAll(WORD_JOINER, '').replaceAll(NO_BREAK, ' ');
}

/** A date, a range or a number with its unit, that no line may break. */
export function inOnePiece(text: string): string {
  return unbroken(text).replaceAll(' ', NO_BREAK);
}

const locale: Record<Language, string> = { en: 'en-CA', zh: 'zh-CN' };

/** Made when first used and then kept: making one takes longer than a hundred uses, and a calendar says some hundred dates. */
function kept<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const money = kept(() => new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 }));
const whole = kept(() => new Intl.NumberFormat('en-US'));
/** Writes instants on the clock of a zone. */
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
/** Writes instants in the display zone, which is set once as the app starts. */
let instants: { zone: string; format: Intl.DateTimeFormat; marks: Record<Language, string> } | undefined;
function inDisplayZone() {
  const zone = displayZone();
  if (instants?.zone !== zone) {
    instants = { zone, format: written(zone), marks: { en: zoneMark('en'), zh: zoneMark('zh') } };
  }
  return instants;
}
/** Writes civil dates with these parts. */
const dates = (tag: string, parts: Intl.DateTimeFormatOptions) =>
  kept(() => new Intl.DateTimeFormat(tag, { ...parts, timeZone: 'UTC' }));
const weekdays: Record<Language, () => Intl.DateTimeFormat> = {
  en: dates(locale.en, { weekday: 'short' }),
  zh: dates(locale.zh, { weekday: 'short' }),
};
const months = dates(locale.en, { month: 'short' });
const days = dates(locale.en, { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' });

/** A number of money without its currency: `1,234.50`. */
export function amount(value: number): string {
  return money().format(value);
}

/** A count with thousands separators. */
export function count(value: number): string {
  return whole().format(value);
}

/** A 24-hour time of day (`14:05`) as `2:05 PM` or `下午 2:05`, which no line breaks. */
export function clock(time: string, language: Language): string {
  return clockOf(halfDay(time), language);
}

/** The same of an hour (`2:05`) in the afternoon or before. */
export function clockOf({ afternoon, hour }: { afternoon: boolean; hour: string }, language: Language): string {
  const half = halfName(afternoon, language);
  return language === 'zh' ? `${[...half].join(WORD_JOINER)}${NO_BREAK}${hour}` : `${hour}${NO_BREAK}${half}`;
}

const halfName = (afternoon: boolean, language: Language) =>
  language === 'zh' ? (afternoon ? '下午' : '上午') : afternoon ? 'PM' : 'AM';

/** A 24-hour time of day by the half of the day: `14:05` is 2:05 in the afternoon. */
export function halfDay(time: string): { afternoon: boolean; hour: string } {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return { afternoon: hours >= 12, hour: `${hours % 12 === 0 ? 12 : hours % 12}:${String(minutes).padStart(2, '0')}` };
}

/** The civil date and 24-hour time of an instant in the display zone. */
export function instantParts(instant: string): { date: string; time: string } {
  return partsOf(inDisplayZone().format, new Date(instant));
}

function partsOf(format: Intl.DateTimeFormat, at: Date): { date: string; time: string } {
  const parts = format.formatToParts(at);
  const part = (type: string) => parts.find((piece) => piece.type === type)?.value ?? '';
  return { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` };
}

/** An instant on the clock of a place in another zone, as `2026-11-08 下午 5:41`; null where its clock shows the display zone's time. */
export function instantThere(instant: string, zone: string, language: Language): string | null {
  const at = new Date(instant);
  const format = written(zone);
  if (format.format(at) === inDisplayZone().format.format(at)) return null;
  const { date, time } = partsOf(format, at);
  return `${unbroken(date)} ${clock(time, language)}`;
}

/** The civil date of a moment (ms) in the display zone: what is *today* for events, not for appointments. */
export function displayToday(nowMs: number): string {
  return instantParts(new Date(nowMs).toISOString()).date;
}

/** The zone's name beside a time of day of the display zone: `ET`, `北京时间`, `GMT+8`. */
export function zoneName(language: Language): string {
  return inDisplayZone().marks[language];
}

/** A time of day of the display zone with the zone's name; an appointment's is its consulate's and has none. */
export function zoned(time: string, language: Language): string {
  return `${time}${NO_BREAK}${zoneName(language)}`;
}

/** An instant as its time of day in the display zone: `下午 8:41 ET`. */
export function instantClock(instant: string, language: Language): string {
  return zoned(clock(instantParts(instant).time, language), language);
}

/** An instant as `2026-11-08 下午 8:41 ET`. */
export function instantInFull(instant: string, language: Language): string {
  return `${unbroken(instantParts(instant).date)} ${instantClock(instant, language)}`;
}

/** An instant with its date where that is not today's: `下午 8:41 ET`, `2026-11-08 下午 8:41 ET`. */
export function instantShort(instant: string, language: Language): string {
  const today = instantParts(instant).date === displayToday(Date.now());
  return today ? instantClock(instant, language) : instantInFull(instant, language);
}

/** The weekday of a civil date, short. */
export function weekday(date: string, language: Language): string {
  return weekdays[language]().format(new Date(`${date}T00:00:00Z`));
}

/** The short name of a day of the week, 1 (Monday) to 7. */
export function weekdayNamed(number: number, language: Language): string {
  return weekday(`2026-11-${22 + number}`, language);
}

/** The short name of a date's month. */
export function monthName(date: string, language: Language): string {
  return language === 'zh' ? `${Number(date.slice(5, 7))} 月` : months().format(new Date(`${date}T00:00:00Z`));
}

/** Names in a row: `A、B` or `A, B`. */
export function joined(names: string[], language: Language): string {
  return names.join(language === 'zh' ? '、' : ', ');
}

/** Sentences one after another: Chinese sets no space between them. */
export function sentences(parts: (string | false | null)[], language: Language): string {
  return parts.filter(Boolean).join(language === 'zh' ? '' : ' ');
}

/** The head of a calendar's column: `一` or `Mo`. */
export function weekdayLetter(date: string, language: Language): string {
  return language === 'zh' ? weekday(date, 'zh').slice(-1) : weekday(date, 'en').slice(0, 2);
}

/** A date's year and month: `2027 年 2 月` or `Feb 2027`. */
export function yearMonth(date: string, language: Language): string {
  return language === 'zh'
    ? `${date.slice(0, 4)} 年 ${Number(date.slice(5, 7))} 月`
    : `${monthName(date, 'en')} ${date.slice(0, 4)}`;
}

/** A date in full with its weekday: `2027 年 2 月 5 日 周五` or `Fri, Feb 5, 2027`. */
export function dateInFull(date: string, language: Language): string {
  if (language === 'zh') return `${yearMonth(date, 'zh')} ${Number(date.slice(8))} 日 ${weekday(date, 'zh')}`;
  return days().format(new Date(`${date}T00:00:00Z`));
}
