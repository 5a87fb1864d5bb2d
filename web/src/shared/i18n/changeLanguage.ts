import { answer, client } from '../api/client.ts';
import { sessionStore } from '../api/identity.ts';
import type { Language } from './language.ts';
import { switchLanguage } from './translations.ts';

/**
 * Shows the page in `language` once its texts are loaded. For a signed-in user it also reports the
 * choice to the server, which writes its mails in that language.
 */
export async function changeLanguage(language: Language): Promise<void> {
  await switchLanguage(language);
  if (sessionStore.get()) await answer(client.PUT('/user/language', { body: { language } }));
}
