import type { PortalHour } from '../../shared/api/types.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** What an hour, a day or an incident is called. */
export const stateWords: Record<PortalHour['state'], Words> = {
  ok: 'status.stateOk',
  slow: 'status.stateSlow',
  down: 'status.stateDown',
  none: 'status.stateNone',
};

/** A bar's colour, and how much of its height it fills: what is bad is also short. */
export const stateBars: Record<PortalHour['state'], { ground: string; height: string }> = {
  ok: { ground: 'heat.3', height: '100%' },
  slow: { ground: 'warning.main', height: '70%' },
  down: { ground: 'error.main', height: '42%' },
  none: { ground: 'background.track', height: '16%' },
};
