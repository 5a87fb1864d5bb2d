import i18next from 'i18next';
import { api } from '../api/calls.ts';
import { sessionStore } from '../api/identity.ts';
import type { Language } from '../i18n/language.ts';

/** Shows the page in `language` and, for a signed-in person, tells the server, whose mails follow it. */
export async function changeLanguage(language: Language): Promise<void> {
  await i18next.changeLanguage(language);
  if (sessionStore.get()) await api.setLanguage(language);
}
