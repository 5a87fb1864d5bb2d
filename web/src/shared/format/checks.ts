import type { PortalHour } from '../api/types.ts';

/**
 * Returns the number of checks in some time spans. A check is one request for a list of free dates.
 */
export function checks(spans: Pick<PortalHour, 'looks'>[]): number {
  return spans.reduce((sum, span) => sum + span.looks, 0);
}
