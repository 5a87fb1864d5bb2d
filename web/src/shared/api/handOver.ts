import type { Shared } from './tabs.ts';
import { accessToken, loadSession, storageWorks } from './tokens.ts';

const KEY = 'soonerSession';

/**
 * Where a browser stores nothing, a sign-in would end with its page. Then this page becomes the next one: its entry in the tab's history
 * gets the new address and the sign-in, which the page there takes away at once. No other site can read an entry, or write one. Returns
 * false where the sign-in is stored, and one goes the ordinary way.
 */
export function takeAlong(path: string): boolean {
  const session = loadSession();
  const access = accessToken.get();
  if (!session || !access || storageWorks()) return false;
  window.history.replaceState({ [KEY]: { session, access } satisfies Shared }, '', path);
  window.location.reload();
  return true;
}

/** The sign-in that the page before left in this entry of the history, once. */
export function takeHandedOver(): Shared | null {
  const { [KEY]: handedOver, ...rest } = (window.history.state ?? {}) as Record<string, unknown>;
  if (!handedOver) return null;
  window.history.replaceState(rest, '');
  return handedOver as Shared;
}
