import type { Language } from './language.ts';

/** Storage key of the choice, for i18next and for app/documents/first.js. */
export const languageKey = 'i18nextLng';
const COOKIE_SECONDS = 365 * 86_400;

/** Stores the choice. With blocked storage the cookie or the address holds it. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(languageKey, language);
  } catch {
    // Nothing to do.
  }
}

/** Returns the stored choice, or null. */
export function storedLanguage(): string | null {
  try {
    return localStorage.getItem(languageKey);
  } catch {
    return null;
  }
}

/** Mirrors the choice for the server, which picks the language of its documents. */
export function mirrorLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and http lack the Cookie Store
  document.cookie = `lang=${language}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax`;
}

/** True if another language was chosen here. Its document is then loading. */
let otherChosen = false;

/** Stores the language of the document, unless another was chosen before. */
export function storeDocumentLanguage(language: Language): void {
  if (otherChosen) return;
  storeLanguage(language);
  mirrorLanguage(language);
}

/**
 * Requests the same document in another language from the server, because the static parts of an
 * open page have fixed texts. Fragment and scroll position stay, as in any reload.
 */
export function reloadInLanguage(language: Language): void {
  otherChosen = true;
  storeLanguage(language);
  mirrorLanguage(language);
  const here = new URL(window.location.href);
  here.searchParams.delete('lang');
  // Without cookies only the address can hold the language.
  if (!document.cookie.includes(`lang=${language}`)) here.searchParams.set('lang', language);
  window.history.replaceState(window.history.state, '', here);
  window.location.reload();
}
