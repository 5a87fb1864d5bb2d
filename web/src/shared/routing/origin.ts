import { leaveNote } from '../browser/note.ts';
import { paths } from './paths.ts';

const TURNED_AWAY = 'sooner.turnedAway';
/** Nobody came in this tab yet, somebody is here, or they signed out themselves. */
let presence: 'nobody' | 'arrived' | 'signedOut' = 'nobody';

/**
 * Where to go after signing in, by `?next=` of a sign-in page's address: a page of this site outside of sign-in, else the dashboard. The
 * document's first script has the same rule (app/documents/first.js); one test holds the two together.
 */
export function nextOf(search: string): string {
  try {
    const to = new URL(new URLSearchParams(search).get('next') || paths.dashboard, window.location.origin);
    // A path that begins with two slashes ("/.//host" becomes one) would be read as another host's address.
    const ours = to.origin === window.location.origin && /^\/(?!\/|(?:auth|api)(?:\/|$))/.test(to.pathname);
    return ours ? `${to.pathname}${to.search}${to.hash}` : paths.dashboard;
  } catch {
    return paths.dashboard;
  }
}

/** A sign-in page's address that leads on to `next`. */
export const leadingTo = (path: string, next: string | null) => (next ? `${path}?next=${encodeURIComponent(next)}` : path);

/**
 * Where a guest who wanted `path` signs in; after a deliberate sign-out nobody comes back to where they were. Notes that the app found
 * nobody signed in: the sign-in page must not send whom it takes for signed in straight back (app/documents/first.js). Who was here and
 * did not leave is told that the sign-in has ended.
 */
export function turnAway(path: string): string {
  if (presence === 'arrived') leaveNote({ ended: true });
  try {
    sessionStorage.setItem(TURNED_AWAY, '1');
  } catch {
    // What is not stored is not read either: the page finds nobody signed in.
  }
  return leadingTo(paths.login, presence === 'signedOut' ? null : path);
}

/** Says whether someone has arrived or has signed out on purpose. */
export function forgetOrigin(purpose: 'arrived' | 'signedOut'): void {
  presence = purpose;
}
