import type { BrowserTarget, Channel, ChannelReason } from '../../../shared/api/channels.ts';
import { ApiError } from '../../../shared/api/errors.ts';
import { sessionStore } from '../../../shared/api/identity.ts';
import { storeOwnPush } from '../../../shared/browser/ownPush.ts';
import type { Language } from '../../../shared/i18n/language.ts';
import { addChannel } from './calls.ts';
import { rememberChannel } from './remember.ts';
import { subscribe } from './webPush.ts';

/** Stores this browser's channel, and shows it in the list. */
export function rememberPush(channel: Channel, target: BrowserTarget): void {
  const user = sessionStore.get()?.id;
  if (user) storeOwnPush({ id: channel.id, endpoint: target.endpoint, user });
  rememberChannel(channel);
}

/** Returns whether the push service no longer knows the address. */
const isGone = (error: unknown) =>
  error instanceof ApiError && (error.data as { reason?: ChannelReason } | null | undefined)?.reason === 'gone';

async function add(key: string, language: Language, anew: boolean): Promise<Channel> {
  const target = await subscribe(key, anew);
  const channel = await addChannel(target, language);
  rememberPush(channel, target);
  return channel;
}

/** Makes this browser a channel: permission, subscription, and the server's greeting. */
export async function addPush(key: string, language: Language): Promise<Channel> {
  try {
    return await add(key, language, false);
  } catch (error) {
    // A browser returns its present address, even if its push service has dropped it.
    if (!isGone(error)) throw error;
    return add(key, language, true);
  }
}
