import type { PortalHour } from '../../shared/api/types.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** What an hour, a day or an incident is called. */
export const stateWords: Record<PortalHour['state'], Words> = {
  ok: 'status.stateOk',
  slow: 'status.stateSlow',
  down: 'status.stateDown',
  none: 'status.stateNone',
};
