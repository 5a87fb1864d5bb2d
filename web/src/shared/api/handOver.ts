import type { SharedSession } from './tabs.ts';
import { accessToken, loadSession, storageWorks } from './tokens.ts';

const KEY = 'soonerSession';

/**
 * Without storage a sign-in would end with its page. This function turns the page into the next
 * one. Its history entry gets the new address and the session, which the target page removes at
 * once. No other site can read or write an entry. Returns false if the session is stored and a
 * normal navigation works.
 */
export function reloadWithSession(path: string): boolean {
  const session = loadSession();
  const access = accessToken.get();
  if (!session || !access || storageWorks()) return false;
  window.history.replaceState({ [KEY]: { session, access } satisfies SharedSession }, '', path);
  window.location.reload();
  return true;
}

/** Returns the session that the previous page left in this history entry, once. */
export function popHandedOverSession(): SharedSession | null {
  const { [KEY]: handedOver, ...rest } = (window.history.state ?? {}) as Record<string, unknown>;
  if (!handedOver) return null;
  window.history.replaceState(rest, '');
  return handedOver as SharedSession;
}
