import type { PortalDay, PortalHour, StatusHistory, SystemStatus } from '../../shared/api/types.ts';
import { checks } from '../../shared/format/checks.ts';
import { civilToday } from '../../shared/format/dates.ts';

/** An hour or a day, as the bars show it. */
export type Span = Pick<PortalHour & PortalDay, 'state' | 'looks' | 'failures' | 'latency_ms'>;

/** With fewer looks a share says little. */
export const ENOUGH_LOOKS = 20;

/** What share of the looks was answered, of how many. */
export function answered(spans: Span[]): { looks: number; answers: number; share: number | null } {
  const answers = checks(spans);
  const looks = spans.reduce((sum, span) => sum + span.looks + span.failures, 0);
  return { looks, answers, share: looks > 0 ? answers / looks : null };
}

/** A share in percent, rounded down: what is not all is never shown as 100. */
export function percent(share: number): string {
  // A share like 0.57 times 1000 is a little less than 570.
  const tenths = Math.floor(share * 1000 + 1e-6) / 10;
  return tenths === 100 || tenths === 0 ? String(tenths) : tenths.toFixed(1);
}

/** Seconds with a decimal, half a tenth rounded up. */
export function seconds(milliseconds: number): string {
  return (Math.round(milliseconds / 100) / 10).toFixed(1);
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

type Unit = 'second' | 'minute' | 'hour' | 'day';

/** How a time span is said: in which unit, and how many of them. Up to two days in hours. */
export function spanOf(spanSeconds: number): { unit: Unit; count: number } {
  const whole = Math.max(0, Math.floor(spanSeconds));
  if (whole < MINUTE_S) return { unit: 'second', count: whole };
  if (whole < HOUR_S) return { unit: 'minute', count: Math.floor(whole / MINUTE_S) };
  if (whole < 2 * DAY_S) return { unit: 'hour', count: Math.floor(whole / HOUR_S) };
  return { unit: 'day', count: Math.floor(whole / DAY_S) };
}

/** What the page's first line says of a server that answers, the worst of all first. */
export type Overall = 'engine' | 'paused' | 'down' | 'slow' | 'late' | 'never' | 'fine';

/** Sums the service up. */
export function overall(status: SystemStatus): Overall {
  if (!status.engine.active) return 'engine';
  if (status.engine.paused_since) return 'paused';
  if (status.portal.state === 'down' || status.portal.state === 'slow') return status.portal.state;
  if (status.delivery.mail === 'failing') return 'late';
  return status.portal.state === 'unknown' ? 'never' : 'fine';
}

/** So far back the server tells incidents, in milliseconds. */
export const INCIDENTS_MS = 30 * DAY_S * 1000;

/** The days from the first record on: those before it would look like days without an answer. */
export function recordedDays({ days, recorded_since: recorded }: StatusHistory): PortalDay[] {
  if (recorded === null) return days;
  const first = civilToday(Date.parse(recorded));
  return days.filter(({ day }) => day >= first);
}

/** Since when no incident is known of: the end of the last one, or so far back as they are recorded and told. Null while one goes on. */
export function fineSince(history: StatusHistory | undefined): string | null {
  if (!history) return null;
  const [last] = history.incidents;
  if (last) return last.ends ?? null;
  if (!history.recorded_since) return null;
  const told = Date.parse(history.at) - INCIDENTS_MS;
  return new Date(Math.max(told, Date.parse(history.recorded_since))).toISOString();
}
