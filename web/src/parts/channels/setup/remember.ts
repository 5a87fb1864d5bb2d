import type { Channel, Channels } from '../../../shared/api/channels.ts';
import { queryClient } from '../../../shared/api/queries.ts';
import { channelQueries } from '../queries.ts';

const { queryKey } = channelQueries.all();

/** Replaces one channel in the cached list, or adds it. */
export function rememberChannel(channel: Channel): void {
  queryClient.setQueryData<Channels>(queryKey, (all) => {
    if (!all) return all;
    const known = all.channels.some(({ id }) => id === channel.id);
    const channels = known ? all.channels.map((one) => (one.id === channel.id ? channel : one)) : [...all.channels, channel];
    return { ...all, channels };
  });
}

export function forgetChannel(id: string): void {
  queryClient.setQueryData<Channels>(queryKey, (all) => all && { ...all, channels: all.channels.filter((one) => one.id !== id) });
}

/** Reloads the list of channels. */
export const reloadChannels = () => queryClient.invalidateQueries({ queryKey });
