import { storePageMessage } from '../browser/pageMessage.ts';
import { paths } from './paths.ts';

const TURNED_AWAY = 'sooner.turnedAway';
/**
 * Presence of a user in this tab: no user yet, a signed-in user, or a user who signed out on
 * purpose.
 */
let presence: 'nobody' | 'arrived' | 'signedOut' = 'nobody';

/**
 * Returns the page to open after sign-in, from the parameter `next` of the address. It must be a
 * page of this site that is no sign-in page, else it is the dashboard. app/documents/first.js has
 * the same rule. One test covers both.
 */
export function nextOf(search: string): string {
  try {
    const to = new URL(new URLSearchParams(search).get('next') || paths.dashboard, window.location.origin);
    // Browsers read a path with two leading slashes as the address of another host.
    const ours = to.origin === window.location.origin && /^\/(?!\/|(?:auth|api)(?:\/|$))/.test(to.pathname);
    return ours ? `${to.pathname}${to.search}${to.hash}` : paths.dashboard;
  } catch {
    return paths.dashboard;
  }
}

/** Returns the address of a sign-in page that opens `next` afterwards. */
export const leadingTo = (path: string, next: string | null) => (next ? `${path}?next=${encodeURIComponent(next)}` : path);

/**
 * Returns the sign-in address for a guest who requested `path`. After a deliberate sign-out the
 * address has no `next`. Records that no user is signed in, so that the sign-in page does not
 * redirect back (app/documents/first.js). If the session ended unexpectedly, it stores a message
 * for the user.
 */
export function turnAway(path: string): string {
  if (presence === 'arrived') storePageMessage({ ended: true });
  try {
    sessionStorage.setItem(TURNED_AWAY, '1');
  } catch {
    // Storage is blocked. The sign-in page then cannot read a stored user either.
  }
  return leadingTo(paths.login, presence === 'signedOut' ? null : path);
}

/** Records that a user has signed in, or has signed out on purpose. */
export function forgetOrigin(purpose: 'arrived' | 'signedOut'): void {
  presence = purpose;
}
