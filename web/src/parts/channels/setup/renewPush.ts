import { sessionStore } from '../../../shared/api/identity.ts';
import { ownPush } from '../../../shared/browser/ownPush.ts';
import type { Language } from '../../../shared/i18n/language.ts';
import { rememberPush } from './addPush.ts';
import { addChannel, removeChannel } from './calls.ts';
import { forgetChannel } from './remember.ts';
import { movedPush } from './webPush.ts';

/** Sends the browser's new push address to the server if the push service has changed it. */
export async function renewPush(language: Language): Promise<void> {
  const own = ownPush();
  if (!own || own.user !== sessionStore.get()?.id) return;
  const target = await movedPush(own);
  if (!target) return;
  const channel = await addChannel(target, language, { id: own.id, endpoint: own.endpoint });
  rememberPush(channel, target);
  await removeChannel(own.id);
  forgetChannel(own.id);
}
