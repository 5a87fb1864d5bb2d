import type { PortalDay, PortalHour, StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/checks.ts';
import { civilToday } from '../../shared/format/dates.ts';

/** An hour or a day, as the bars show it. */
export type Span = Pick<PortalHour & PortalDay, 'state' | 'looks' | 'failures' | 'latency_ms'>;

/** Fewer polls make a share unreliable. */
export const ENOUGH_LOOKS = 20;

/** Returns the share of answered polls, and their number. */
export function answered(spans: Span[]): { looks: number; answers: number; share: number | null } {
  const answers = checks(spans);
  const looks = spans.reduce((sum, span) => sum + span.looks + span.failures, 0);
  return { looks, answers, share: looks > 0 ? answers / looks : null };
}

/** Formats a share in percent, rounded down: an incomplete share is never 100. */
export function percent(share: number): string {
  // A share such as 0.57 times 1000 is slightly below 570.
  const tenths = Math.floor(share * 1000 + 1e-6) / 10;
  return tenths === 100 || tenths === 0 ? String(tenths) : tenths.toFixed(1);
}

/** Formats seconds with one decimal, rounding half up. */
export function seconds(milliseconds: number): string {
  return (Math.round(milliseconds / 100) / 10).toFixed(1);
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** Returns unit and number of a time span. Up to two days are in hours. */
export function spanOf(spanSeconds: number): { unit: Unit; count: number } {
  const whole = Math.max(0, Math.floor(spanSeconds));
  if (whole < MINUTE_S) return { unit: 'second', count: whole };
  if (whole < HOUR_S) return { unit: 'minute', count: Math.floor(whole / MINUTE_S) };
  if (whole < 2 * DAY_S) return { unit: 'hour', count: Math.floor(whole / HOUR_S) };
  return { unit: 'day', count: Math.floor(whole / DAY_S) };
}

/** State in the page's first line while the server answers, worst first. */
export type Overall = 'engine' | 'paused' | 'down' | 'slow' | 'late' | 'never' | 'fine';

/** Sums up the service. */
export function overall(status: SystemStatus): Overall {
  if (!status.engine.active) return 'engine';
  if (status.engine.paused_since) return 'paused';
  if (status.portal.state === 'down' || status.portal.state === 'slow') return status.portal.state;
  if (status.delivery.mail === 'failing') return 'late';
  return status.portal.state === 'unknown' ? 'never' : 'fine';
}

/** Period of the incidents that the server returns, in milliseconds. */
export const INCIDENTS_MS = 30 * DAY_S * 1000;

/**
 * Returns the days from the first record on. Earlier days would look like days without a response.
 */
export function recordedDays({ days, recorded_since: recorded }: StatusHistory): PortalDay[] {
  if (recorded === null) return days;
  const first = civilToday(Date.parse(recorded));
  return days.filter(({ day }) => day >= first);
}

/**
 * Returns since when no incident is known: the end of the last one, or the beginning of the
 * recorded period. Returns null during an incident.
 */
export function fineSince(history: StatusHistory | undefined): string | null {
  if (!history) return null;
  const [last] = history.incidents;
  if (last) return last.ends ?? null;
  if (!history.recorded_since) return null;
  const listedSince = Date.parse(history.at) - INCIDENTS_MS;
  return new Date(Math.max(listedSince, Date.parse(history.recorded_since))).toISOString();
}
