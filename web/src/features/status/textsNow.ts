import type { PortalHour, SystemStatus } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/checks.ts';
import { count } from '../../shared/i18n/format.ts';
import type { Texts, TextsNow } from './statusTexts.tsx';
import { moment, number, share, span, sum, when, YES } from './texts.ts';
import { type Overall, overall, seconds } from './uptime.ts';

const tones: Record<Overall, string> = {
  engine: 'error',
  paused: 'warning',
  down: 'error',
  slow: 'warning',
  late: 'warning',
  never: 'quiet',
  fine: 'ok',
};

/** All kinds of the banner. */
const KINDS = Object.keys(tones);

const between = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1000;

function banner({ portal, engine, at }: SystemStatus, kind: Overall): Texts {
  const troubled = kind === 'down' || kind === 'slow';
  const since = kind === 'paused' ? engine.paused_since : troubled ? portal.since : null;
  return {
    [kind]: YES,
    tone: tones[kind],
    ...when('alarm', kind !== 'fine' && kind !== 'never'),
    ...(since && { since: YES, ...moment('since', since), ...span('lasted', between(since, at)) }),
  };
}

const WIDTH = 120;
const HEIGHT = 28;
const EDGE = 3;

/** Formats a number with one decimal, rounded half up. */
const tenths = (value: number) => (Math.round(value * 10) / 10).toFixed(1);

/**
 * Returns the SVG path of the response times of the last 24 hours, with their minimum and maximum.
 * The path is interrupted at hours without polls.
 */
function latencyLine(hours: Pick<PortalHour, 'latency_ms'>[]): Texts {
  const known = hours.flatMap(({ latency_ms }) => latency_ms ?? []);
  if (known.length < 2) return {};
  const [least, most] = [Math.min(...known), Math.max(...known)];
  const x = (index: number) => (index / Math.max(1, hours.length - 1)) * WIDTH;
  const y = (latency: number) => HEIGHT - EDGE - (latency / most) * (HEIGHT - 2 * EDGE);
  const path = hours.map(({ latency_ms: latency }, index) => {
    if (latency === null) return '';
    // A single point is a line of length zero. The round line ends make it visible as a dot.
    const point = `${tenths(x(index))} ${tenths(y(latency))}`;
    return (hours[index - 1]?.latency_ms ?? null) === null ? `M${point}L${point}` : `L${point}`;
  });
  return { line: path.join(''), line_least: seconds(least), line_most: seconds(most) };
}

function engineNow({ engine, portal, at }: SystemStatus): Texts {
  const { active, paused_since: paused, last_look_at: last, next_look_at: next } = engine;
  return {
    [active ? (paused ? 'engine_paused' : 'engine_on') : 'engine_off']: YES,
    looks_day: count(checks(portal.hours)),
    ...(last && { last: YES, ...moment('last', last, at), ...span('last_ago', Math.abs(between(last, at))) }),
    ...when('resting', paused !== null),
    ...(next && !paused && { next: YES, ...moment('next', next, at), ...span('next_in', Math.abs(between(at, next))) }),
  };
}

function delivery({ mail, waiting, failing, waiting_seconds, delivered_day }: SystemStatus['delivery']): Texts {
  return {
    [`mail_${mail}`]: YES,
    ...(mail !== 'off' && { mails: YES, ...number('sent', delivered_day), ...number('waiting', waiting) }),
    ...(failing > 0 && { retried: YES, ...number('retried', failing) }),
    ...(waiting_seconds !== null && { oldest: YES, ...span('oldest', waiting_seconds) }),
  };
}

/** Converts the response of `GET /status` to texts. */
export function textsNow(status: SystemStatus): TextsNow {
  const { state, hours, latency_ms: latency } = status.portal;
  return {
    texts: {
      known: YES,
      ...moment('read', status.at),
      ...banner(status, overall(status)),
      [`portal_${state}`]: YES,
      ...share('day', hours),
      ...(latency !== null && { latency: seconds(latency) }),
      ...latencyLine(hours),
      ...sum('hours', hours),
      ...engineNow(status),
      ...delivery(status.delivery),
    },
    hours: hours.map((hour) => ({ state: hour.state })),
  };
}

/**
 * Returns the texts while the server does not answer: the last known state, its age, and whether
 * the device is offline.
 */
export function silenced({ texts, hours }: TextsNow, dataUpdatedAt: number, online: boolean): TextsNow {
  const kept = Object.entries(texts).filter(([name]) => ![...KINDS, 'unreachable', 'offline'].includes(name));
  // Before the first response, only the document's texts contain the time of the data.
  const read = Object.entries(texts).filter(([name]) => name.startsWith('read_'));
  const answers = Object.fromEntries(read.map(([name, text]) => [name.replace('read', 'answered'), text]));
  const answered = dataUpdatedAt > 0 ? moment('answered', new Date(dataUpdatedAt).toISOString()) : answers;
  return {
    texts: {
      ...Object.fromEntries(kept),
      [online ? 'unreachable' : 'offline']: YES,
      silent: YES,
      tone: 'error',
      alarm: YES,
      ...(Object.keys(answered).length > 0 && { answered: YES, ...answered }),
    },
    hours,
  };
}
