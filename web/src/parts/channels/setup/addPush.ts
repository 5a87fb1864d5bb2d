import type { BrowserTarget, Channel, ChannelReason } from '../../../shared/api/channels.ts';
import { ApiError } from '../../../shared/api/errors.ts';
import { sessionStore } from '../../../shared/api/identity.ts';
import { storeOwnPush } from '../../../shared/browser/ownPush.ts';
import type { Language } from '../../../shared/i18n/language.ts';
import { addChannel } from './calls.ts';
import { rememberChannel } from './remember.ts';
import { subscribe } from './webPush.ts';

/** Records that a channel belongs to this browser, and adds the channel to the list. */
export function rememberPush(channel: Channel, target: BrowserTarget): void {
  const user = sessionStore.get()?.id;
  if (user) storeOwnPush({ id: channel.id, endpoint: target.endpoint, user });
  rememberChannel(channel);
}

/** Returns whether the push service no longer accepts the address. */
const isGone = (error: unknown) =>
  error instanceof ApiError && (error.data as { reason?: ChannelReason } | null | undefined)?.reason === 'gone';

async function add(key: string, language: Language, anew: boolean): Promise<Channel> {
  const target = await subscribe(key, anew);
  const channel = await addChannel(target, language);
  rememberPush(channel, target);
  return channel;
}

/**
 * Adds this browser as a channel: requests permission, subscribes, and has the server send a first
 * message.
 */
export async function addPush(key: string, language: Language): Promise<Channel> {
  try {
    return await add(key, language, false);
  } catch (error) {
    // A browser may return an address that its push service has already deleted. Subscribe again.
    if (!isGone(error)) throw error;
    return add(key, language, true);
  }
}
