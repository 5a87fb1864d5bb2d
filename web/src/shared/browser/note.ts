const KEY = 'sooner.note';

/**
 * Message from one page to the next. It reports a new registration, a new password, or an
 * unexpected end of the session. It may carry an address, a greeting, or a link that a sign-in
 * proves.
 */
export interface Note {
  registered?: string;
  reset?: true;
  ended?: true;
  email?: string;
  link?: string;
  greeting?: 'welcomeNew' | 'steppedUp' | 'googleLinked';
}

/** Stores a note for the next page in this tab. */
export function leaveNote(note: Note): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(note));
  } catch {
    // With blocked storage the next page shows nothing special.
  }
}

/** Returns the stored note, once. */
export function takeNote(): Note | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text === null ? null : (JSON.parse(text) as Note);
  } catch {
    return null;
  }
}
