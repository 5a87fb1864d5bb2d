const KEY = 'sooner.note';

/**
 * Message from one page to the next. It reports a new registration, a new password, or an
 * unexpected end of the session. It may carry an address, a greeting, or a link that a sign-in
 * proves.
 */
export interface PageMessage {
  registered?: string;
  reset?: true;
  ended?: true;
  email?: string;
  link?: string;
  greeting?: 'welcomeNew' | 'steppedUp' | 'googleLinked';
}

/** Stores a note for the next page in this tab. */
export function storePageMessage(note: PageMessage): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(note));
  } catch {
    // With blocked storage the next page shows nothing special.
  }
}

/** Returns the stored note, once. */
export function popPageMessage(): PageMessage | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text === null ? null : (JSON.parse(text) as PageMessage);
  } catch {
    return null;
  }
}
