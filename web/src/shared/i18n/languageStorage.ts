import type { Language } from './language.ts';

/** Storage key of the chosen language. i18next and app/documents/first.js use the same key. */
export const languageKey = 'i18nextLng';
const COOKIE_SECONDS = 365 * 86_400;

/** Stores the chosen language. If storage is blocked, the cookie or the address keeps it. */
export function storeLanguage(language: Language): void {
  try {
    localStorage.setItem(languageKey, language);
  } catch {
    // Storage is blocked.
  }
}

/** Returns the stored language, or null. */
export function storedLanguage(): string | null {
  try {
    return localStorage.getItem(languageKey);
  } catch {
    return null;
  }
}

/** Copies the choice into a cookie, because the server chooses the language of its documents. */
export function mirrorLanguage(language: Language): void {
  // biome-ignore lint/suspicious/noDocumentCookie: Safari and http lack the Cookie Store
  document.cookie = `lang=${language}; Path=/; Max-Age=${COOKIE_SECONDS}; SameSite=Lax`;
}

/** True if the user has chosen another language, and the page is about to reload in it. */
let otherChosen = false;

/** Stores the language of this document, unless the user has just chosen another language. */
export function storeDocumentLanguage(language: Language): void {
  if (otherChosen) return;
  storeLanguage(language);
  mirrorLanguage(language);
}

/**
 * Reloads the page in another language. The static parts of a public page have fixed texts, so the
 * server must send another document. Fragment and scroll position stay.
 */
export function reloadInLanguage(language: Language): void {
  otherChosen = true;
  storeLanguage(language);
  mirrorLanguage(language);
  const here = new URL(window.location.href);
  here.searchParams.delete('lang');
  // The cookie was not stored, so the address passes the language on.
  if (!document.cookie.includes(`lang=${language}`)) here.searchParams.set('lang', language);
  window.history.replaceState(window.history.state, '', here);
  window.location.reload();
}
