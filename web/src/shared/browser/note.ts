const KEY = 'sooner.note';

/** What one page tells the next: who has just registered, that a password was set, whose address it is about, the link that a sign-in proves it by, what to greet with, that a sign-in ended without having been asked here. */
export interface Note {
  registered?: string;
  reset?: true;
  ended?: true;
  email?: string;
  link?: string;
  greeting?: 'welcomeNew' | 'steppedUp' | 'googleLinked';
}

/** Leaves a note for the next page in this tab. */
export function leaveNote(note: Note): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(note));
  } catch {
    // Blocked storage: the next page then says nothing special.
  }
}

/** The note that was left, once. */
export function takeNote(): Note | null {
  try {
    const text = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    return text === null ? null : (JSON.parse(text) as Note);
  } catch {
    return null;
  }
}
