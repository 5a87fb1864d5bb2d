import { storePageMessage } from '../browser/pageMessage.ts';
import { paths } from './paths.ts';

const TURNED_AWAY = 'sooner.turnedAway';
/** State of this tab: no user yet, a user is signed in, or the user signed out on purpose. */
let presence: 'nobody' | 'arrived' | 'signedOut' = 'nobody';

/**
 * Returns the target after signing in, from `?next=` of a sign-in page's address: a page of this
 * site outside of sign-in, else the dashboard. The document's first script has the same rule
 * (app/documents/first.js); one test covers both.
 */
export function nextOf(search: string): string {
  try {
    const to = new URL(new URLSearchParams(search).get('next') || paths.dashboard, window.location.origin);
    // A path with two leading slashes ("/.//host" becomes one) would be read as another host's
    // address.
    const ours = to.origin === window.location.origin && /^\/(?!\/|(?:auth|api)(?:\/|$))/.test(to.pathname);
    return ours ? `${to.pathname}${to.search}${to.hash}` : paths.dashboard;
  } catch {
    return paths.dashboard;
  }
}

/** Returns a sign-in page's address that leads on to `next`. */
export const leadingTo = (path: string, next: string | null) => (next ? `${path}?next=${encodeURIComponent(next)}` : path);

/**
 * Returns the sign-in address for a guest who requested `path`. After a deliberate sign-out the
 * target is dropped. It also records that no user is signed in, so that the sign-in page does not
 * redirect back (app/documents/first.js). A user whose session ended otherwise sees a message.
 */
export function turnAway(path: string): string {
  if (presence === 'arrived') storePageMessage({ ended: true });
  try {
    sessionStorage.setItem(TURNED_AWAY, '1');
  } catch {
    // Blocked storage cannot be read either, so the page finds no signed-in user.
  }
  return leadingTo(paths.login, presence === 'signedOut' ? null : path);
}

/** Sets whether a user has signed in, or has signed out on purpose. */
export function forgetOrigin(purpose: 'arrived' | 'signedOut'): void {
  presence = purpose;
}
