import { sessionStore } from '../api/identity.ts';
import type { Language } from './language.ts';
import { reloadInLanguage } from './languageStorage.ts';

/**
 * Shows a public page in `language`. For a signed-in user it first reports the choice to the
 * server, which writes its mails in that language.
 */
export async function switchDocumentLanguage(language: Language): Promise<void> {
  if (sessionStore.get()) {
    const { answer, client } = await import('../api/client.ts');
    await answer(client.PUT('/user/language', { body: { language } }));
  }
  reloadInLanguage(language);
}
