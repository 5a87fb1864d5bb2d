const KEY = 'sooner.note';

/**
 * Message from one page to the next, such as after a registration, a new password, or an unexpected
 * end of the session. `link` is a mailed link that a sign-in confirms.
 */
export interface PageMessage {
  registered?: string;
  reset?: true;
  ended?: true;
  email?: string;
  link?: string;
  greeting?: 'welcomeNew' | 'steppedUp' | 'googleLinked' | 'passwordRemoved';
}

/** Stores a message for the next page in this tab. */
export function storePageMessage(note: PageMessage): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(note));
  } catch {
    // Storage is blocked. The next page then shows no message.
  }
}

/** Returns the stored message and deletes it. */
export function popPageMessage(): PageMessage | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text === null ? null : (JSON.parse(text) as PageMessage);
  } catch {
    return null;
  }
}
