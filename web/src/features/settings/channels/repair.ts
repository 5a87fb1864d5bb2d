import type { Channel, ChannelReason } from '../../../shared/api/channels.ts';

/** What no test mends: the target itself has to be another one. */
const anew = new Set<ChannelReason | null>(['gone', 'credentials', 'malformed', 'address_refused']);

/** What its user can do about a channel besides testing it: go on with adding it, say that it is theirs, or add it again. */
export function repairOf({ state, reason, waits_for }: Channel): 'go_on' | 'confirm' | 'again' | null {
  if (state === 'pending') return waits_for === 'confirmation' ? 'confirm' : 'go_on';
  return state === 'needs_attention' && anew.has(reason) ? 'again' : null;
}
