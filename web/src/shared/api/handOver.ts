import type { SharedSession } from './tabs.ts';
import { accessToken, loadSession, storageWorks } from './tokens.ts';

const KEY = 'soonerSession';

/**
 * Opens `path` and passes the session to it, for browsers with blocked storage. A normal navigation
 * would lose the session there. The session travels in the history entry, which other sites cannot
 * read. The new page removes it at once. Returns false if a normal navigation works.
 */
export function reloadWithSession(path: string): boolean {
  const session = loadSession();
  const access = accessToken.get();
  if (!session || !access || storageWorks()) return false;
  window.history.replaceState({ [KEY]: { session, access } satisfies SharedSession }, '', path);
  window.location.reload();
  return true;
}

/** Returns the session that the previous page stored in this history entry, and removes it. */
export function popHandedOverSession(): SharedSession | null {
  const { [KEY]: handedOver, ...rest } = (window.history.state ?? {}) as Record<string, unknown>;
  if (!handedOver) return null;
  window.history.replaceState(rest, '');
  return handedOver as SharedSession;
}
