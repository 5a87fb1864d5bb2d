import type { PortalHour } from '../api/types.ts';

/** Returns the number of checks: lists of free dates from the official site. */
export function checks(spans: Pick<PortalHour, 'looks'>[]): number {
  return spans.reduce((sum, span) => sum + span.looks, 0);
}
