import type { Incident, StatusHistory } from '../../shared/api/types.ts';
import { civilToday } from '../../shared/format/dates.ts';
import { count, instantParts, unbroken } from '../../shared/i18n/format.ts';
import type { Texts, TextsPast } from './statusTexts.tsx';
import { moment, share, span, sum, when, YES } from './texts.ts';
import { fineSince, INCIDENTS_MS, recordedDays, seconds } from './uptime.ts';

const MONTH = 30;
/**
 * Delay in seconds up to which a poll counts as on time. The engine stores results a little later
 * than planned.
 */
const LATE_S = 120;

function incident({ begins, ends, state, looks, failures, latency_ms: latency }: Incident, now: string): Texts {
  return {
    [state === 'down' ? 'down' : 'slow']: YES,
    ...span('lasted', (Date.parse(ends ?? now) - Date.parse(begins)) / 1000),
    ...moment('begins', begins),
    ...(ends ? { over: YES, ...moment('ends', ends, begins) } : {}),
    ...(failures > 0 && { failures: count(failures), looks: count(looks + failures) }),
    ...(latency !== null && { latency: seconds(latency) }),
    ...when('both', failures > 0 && latency !== null),
  };
}

/** Converts the response of `GET /status/history` to texts. */
export function textsPast(history: StatusHistory): TextsPast {
  const { incidents, recorded_since: recorded, watching, overdue_seconds, at } = history;
  const days = recordedDays(history);
  const from = recorded && unbroken(civilToday(Date.parse(recorded)));
  const states = days.map(({ state }) => ({ state }));
  const late = overdue_seconds ?? 0;
  const calm = fineSince(history);
  const young = recorded !== null && Date.parse(at) - Date.parse(recorded) < INCIDENTS_MS;
  return {
    texts: {
      known: YES,
      ...(from && days.length < MONTH && { month_from: from }),
      ...(from && days.length < history.days.length && { quarter_from: from }),
      ...share('month', days.slice(-MONTH)),
      ...share('quarter', days),
      ...sum('month_bars', days.slice(-MONTH)),
      ...sum('quarter_bars', days),
      ...(calm && { calm: YES, ...moment('calm', calm) }),
      ...when('recorded', recorded !== null),
      ...(recorded && (young ? { young: unbroken(instantParts(recorded).date) } : { old: YES })),
      ...when(incidents.length > 0 ? 'incidents' : 'calm_so_far', true),
      [watching ? 'watching' : 'idle']: YES,
      ...(late > LATE_S && { late: YES, ...span('late', late) }),
    },
    days: states,
    month: states.slice(-MONTH),
    incidents: incidents.map((one) => incident(one, at)),
  };
}
