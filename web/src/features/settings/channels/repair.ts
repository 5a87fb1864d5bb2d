import type { Channel, ChannelReason } from '../../../shared/api/channels.ts';

/** Reasons that no test can fix: the target itself has to change. */
const anew = new Set<ChannelReason | null>(['gone', 'credentials', 'malformed', 'address_refused']);

/**
 * Returns the user's remedy for a channel besides a test: continue the setup, claim the channel, or
 * add it again.
 */
export function repairOf({ state, reason, waits_for }: Channel): 'go_on' | 'confirm' | 'again' | null {
  if (state === 'pending') return waits_for === 'confirmation' ? 'confirm' : 'go_on';
  return state === 'needs_attention' && anew.has(reason) ? 'again' : null;
}
