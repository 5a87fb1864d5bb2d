import type { PortalHour } from '../api/types.ts';

/** How many checks there were: lists of free dates that the official site gave us. */
export function checks(spans: Pick<PortalHour, 'looks'>[]): number {
  return spans.reduce((sum, span) => sum + span.looks, 0);
}
