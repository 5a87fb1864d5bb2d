import type { Channel, ChannelReason } from '../../../shared/api/channels.ts';

/** Reasons of a failure that only another target can fix. */
const anew = new Set<ChannelReason | null>(['gone', 'credentials', 'malformed', 'address_refused']);

/**
 * Returns the action that fixes a channel: continue the setup, confirm the channel, or add it
 * again. Returns null if a test suffices.
 */
export function repairOf({ state, reason, waits_for }: Channel): 'go_on' | 'confirm' | 'again' | null {
  if (state === 'pending') return waits_for === 'confirmation' ? 'confirm' : 'go_on';
  return state === 'needs_attention' && anew.has(reason) ? 'again' : null;
}
