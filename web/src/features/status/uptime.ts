import type { PortalDay, PortalHour, StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/checks.ts';
import { civilToday } from '../../shared/format/dates.ts';

/** An hour or a day, shown as one bar. */
export type Span = Pick<PortalHour & PortalDay, 'state' | 'looks' | 'failures' | 'latency_ms'>;

/** Minimum number of polls for a reliable share. */
export const ENOUGH_LOOKS = 20;

/** Returns the share of answered polls, the number of polls, and the number of answers. */
export function answered(spans: Span[]): { looks: number; answers: number; share: number | null } {
  const answers = checks(spans);
  const looks = spans.reduce((sum, span) => sum + span.looks + span.failures, 0);
  return { looks, answers, share: looks > 0 ? answers / looks : null };
}

/** Formats a share in per cent, rounded down, so that an incomplete share is never shown as 100. */
export function percent(share: number): string {
  // Floating-point results such as 0.57 * 1000 are slightly too small.
  const tenths = Math.floor(share * 1000 + 1e-6) / 10;
  return tenths === 100 || tenths === 0 ? String(tenths) : tenths.toFixed(1);
}

/** Formats milliseconds as seconds with one decimal, rounded half up. */
export function seconds(milliseconds: number): string {
  return (Math.round(milliseconds / 100) / 10).toFixed(1);
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** Returns the unit and the number of a duration. Durations up to two days are in hours. */
export function spanOf(spanSeconds: number): { unit: Unit; count: number } {
  const whole = Math.max(0, Math.floor(spanSeconds));
  if (whole < MINUTE_S) return { unit: 'second', count: whole };
  if (whole < HOUR_S) return { unit: 'minute', count: Math.floor(whole / MINUTE_S) };
  if (whole < 2 * DAY_S) return { unit: 'hour', count: Math.floor(whole / HOUR_S) };
  return { unit: 'day', count: Math.floor(whole / DAY_S) };
}

/** State of the service in the banner, worst first. */
export type Overall = 'engine' | 'paused' | 'down' | 'slow' | 'late' | 'never' | 'fine';

/** Returns the worst present state of the service. */
export function overall(status: SystemStatus): Overall {
  if (!status.engine.active) return 'engine';
  if (status.engine.paused_since) return 'paused';
  if (status.portal.state === 'down' || status.portal.state === 'slow') return status.portal.state;
  if (status.delivery.mail === 'failing') return 'late';
  return status.portal.state === 'unknown' ? 'never' : 'fine';
}

/** Period for which the server returns incidents, in milliseconds. */
export const INCIDENTS_MS = 30 * DAY_S * 1000;

/**
 * Returns the days since the first record. Earlier days would appear as days without a response.
 */
export function recordedDays({ days, recorded_since: recorded }: StatusHistory): PortalDay[] {
  if (recorded === null) return days;
  const first = civilToday(Date.parse(recorded));
  return days.filter(({ day }) => day >= first);
}

/**
 * Returns the start of the incident-free period: the end of the last incident, or the start of the
 * records. Returns null during an incident.
 */
export function fineSince(history: StatusHistory | undefined): string | null {
  if (!history) return null;
  const [last] = history.incidents;
  if (last) return last.ends ?? null;
  if (!history.recorded_since) return null;
  const listedSince = Date.parse(history.at) - INCIDENTS_MS;
  return new Date(Math.max(listedSince, Date.parse(history.recorded_since))).toISOString();
}
