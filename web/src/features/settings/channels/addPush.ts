import type { BrowserTarget, Channel } from '../../../shared/api/channels.ts';
import { sessionStore } from '../../../shared/api/identity.ts';
import { keepOwnPush } from '../../../shared/browser/ownPush.ts';
import type { Language } from '../../../shared/i18n/language.ts';
import { addChannel } from './calls.ts';
import { rememberChannel } from './remember.ts';
import { subscribe } from './webPush.ts';

/** Notes which channel this browser is, and shows it in the list. */
export function rememberPush(channel: Channel, target: BrowserTarget): void {
  const user = sessionStore.get()?.id;
  if (user) keepOwnPush({ id: channel.id, endpoint: target.endpoint, user });
  rememberChannel(channel);
}

/** Makes this browser a channel: permission, subscription, and the server's greeting. */
export async function addPush(key: string, language: Language): Promise<Channel> {
  const target = await subscribe(key);
  const channel = await addChannel(target, language);
  rememberPush(channel, target);
  return channel;
}
