import { count, halfDay, instantParts, unbroken } from '../../shared/i18n/format.ts';
import type { Texts } from './statusTexts.tsx';
import { answered, ENOUGH_LOOKS, percent, type Span, spanOf } from './uptime.ts';

/** Value of a true condition. */
export const YES = '1';

/** Returns a condition as a text: `name` exists if it is true. */
export const when = (name: string, so: boolean): Texts => (so ? { [name]: YES } : {});

/**
 * Returns the texts of a moment: `name_date`, and `name_am` or `name_pm`. The date is omitted if
 * `beside` has the same date.
 */
export function moment(name: string, instant: string, beside?: string): Texts {
  const { date, time } = instantParts(instant);
  const { afternoon, hour } = halfDay(time);
  const known = beside !== undefined && instantParts(beside).date === date;
  return { ...(!known && { [`${name}_date`]: unbroken(date) }), [`${name}_${afternoon ? 'pm' : 'am'}`]: hour };
}

/** Returns the text of a duration: `name_hour` or `name_hours`, and likewise for other units. */
export function span(name: string, seconds: number): Texts {
  const { unit, count } = spanOf(seconds);
  return { [`${name}_${unit}${count === 1 ? '' : 's'}`]: String(count) };
}

/** Returns the text of a count: `name_one` or `name_many`. */
export const number = (name: string, value: number): Texts => ({ [`${name}_${value === 1 ? 'one' : 'many'}`]: count(value) });

/**
 * Returns the texts of the share of answered polls. With few polls it returns their number, because
 * a share would be misleading.
 */
export function share(name: string, spans: Span[]): Texts {
  const { looks, answers, share: part } = answered(spans);
  if (part === null) return { [`${name}_none`]: YES };
  if (looks >= ENOUGH_LOOKS) return { [`${name}_share`]: percent(part), [`${name}_of`]: count(looks) };
  const rest = answers === looks ? { [`${name}_all`]: YES } : { [`${name}_answers`]: count(answers) };
  return { [`${name}_few`]: YES, ...number(`${name}_looks`, looks), ...rest };
}

/** Returns the texts that summarize the slow and failed periods. */
export function sum(name: string, spans: Span[]): Texts {
  const many = (state: Span['state']) => spans.filter((one) => one.state === state).length;
  const [down, slow] = [many('down'), many('slow')];
  if (down + slow === 0) return { [`${name}_${many('ok') > 0 ? 'fine' : 'none'}`]: YES };
  return {
    ...(down > 0 && number(`${name}_down`, down)),
    ...(slow > 0 && number(`${name}_slow`, slow)),
    ...when(`${name}_both`, down > 0 && slow > 0),
  };
}
