import type { PortalDay, PortalHour, StatusHistory, SystemStatus } from '../api/types.ts';
import type { Words } from '../i18n/words.ts';

/** An hour or a day, as the bars show it. */
export type Span = Pick<PortalHour & PortalDay, 'state' | 'looks' | 'failures' | 'latency_ms'>;

/** With fewer looks a share says little. */
export const ENOUGH_LOOKS = 20;

/** How many checks there were: lists of free dates that the official site gave us. */
export function checks(spans: Pick<Span, 'looks'>[]): number {
  return spans.reduce((sum, span) => sum + span.looks, 0);
}

/** What share of the looks was answered, of how many. */
export function answered(spans: Span[]): { looks: number; answers: number; share: number | null } {
  const answers = checks(spans);
  const looks = spans.reduce((sum, span) => sum + span.looks + span.failures, 0);
  return { looks, answers, share: looks > 0 ? answers / looks : null };
}

/** A share in percent, rounded down: what is not all is never shown as 100. */
export function percent(share: number): string {
  const tenths = Math.floor(share * 1000) / 10;
  return tenths === 100 || tenths === 0 ? String(tenths) : tenths.toFixed(1);
}

/** Seconds with a decimal. */
export function seconds(milliseconds: number): string {
  return (milliseconds / 1000).toFixed(1);
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** How a time span is said: which words, and how many of them. Up to two days in hours. */
export function spanWords(spanSeconds: number): { key: Words; count: number } {
  if (spanSeconds < MINUTE_S) return { key: 'status.spanSeconds', count: Math.max(0, Math.floor(spanSeconds)) };
  if (spanSeconds < HOUR_S) return { key: 'status.spanMinutes', count: Math.floor(spanSeconds / MINUTE_S) };
  if (spanSeconds < 2 * DAY_S) return { key: 'status.spanHours', count: Math.floor(spanSeconds / HOUR_S) };
  return { key: 'status.spanDays', count: Math.floor(spanSeconds / DAY_S) };
}

/** What the page's first line says, the worst of all first. */
export type Overall = 'unreachable' | 'engine' | 'paused' | 'down' | 'slow' | 'mail' | 'never' | 'fine';

/** Sums the service up. */
export function overall(status: SystemStatus | undefined, reachable: boolean): Overall {
  if (!reachable || !status) return 'unreachable';
  if (!status.engine.active) return 'engine';
  if (status.engine.paused_since) return 'paused';
  if (status.portal.state === 'down' || status.portal.state === 'slow') return status.portal.state;
  if (status.delivery.mail === 'failing') return 'mail';
  return status.portal.state === 'unknown' ? 'never' : 'fine';
}

/** So far back the server tells incidents, in milliseconds. */
export const INCIDENTS_MS = 30 * DAY_S * 1000;

/** Since when no incident is known of: the end of the last one, or so far back as they are recorded and told. Null while one goes on. */
export function fineSince(history: StatusHistory | undefined): string | null {
  if (!history) return null;
  const [last] = history.incidents;
  if (last) return last.ends ?? null;
  if (!history.recorded_since) return null;
  const told = Date.parse(history.at) - INCIDENTS_MS;
  return new Date(Math.max(told, Date.parse(history.recorded_since))).toISOString();
}
