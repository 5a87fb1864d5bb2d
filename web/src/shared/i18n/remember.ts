import type { Language } from './language.ts';

/** Where the choice is kept, for i18next and for app/documents/first.js. */
export const languageKey = 'i18nextLng';
const COOKIE_SECONDS = 365 * 86_400;

/** Keeps the choice; where storage is blocked, it is the cookie's, or the address's. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(languageKey, language);
  } catch {
    // Nothing to do.
  }
}

/** The choice that was kept, or null. */
export function storedLanguage(): string | null {
  try {
    return localStorage.getItem(languageKey);
  } catch {
    return null;
  }
}

/** Mirrors the choice for the server, which picks the language of the documents it has ready. */
export function mirrorLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and on plain http
  document.cookie = `lang=${language}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax`;
}

/** Whether another language was chosen here: its document is on its way. */
let chosen = false;

/** Keeps the language that the document is in, unless another was chosen before the page came to keep its own. */
export function keepOwnLanguage(language: Language): void {
  if (chosen) return;
  storeLanguage(language);
  mirrorLanguage(language);
}

/**
 * Shows the same document in another language, by asking the server for it: what is static on an open page has words of its
 * own. Its place (the part of it, and how far one has scrolled) stays, as it does whenever a page is read again.
 */
export function toDocumentIn(language: Language): void {
  chosen = true;
  storeLanguage(language);
  mirrorLanguage(language);
  const here = new URL(window.location.href);
  here.searchParams.delete('lang');
  // Without cookies only the address can say it.
  if (!document.cookie.includes(`lang=${language}`)) here.searchParams.set('lang', language);
  window.history.replaceState(window.history.state, '', here);
  window.location.reload();
}
