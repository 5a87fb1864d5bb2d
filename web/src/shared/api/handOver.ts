import type { Shared } from './tabs.ts';
import { accessToken, loadSession, storageWorks } from './tokens.ts';

const MARK = 'sooner.session:';

/**
 * Where a browser stores nothing, a sign-in would end with its page: the next page of this tab gets it by the tab's name, and takes it
 * away at once. Browsers empty that name when the tab goes to another site.
 */
export function handOver(): void {
  const session = loadSession();
  const access = accessToken.get();
  if (session && access && !storageWorks()) window.name = MARK + JSON.stringify({ session, access } satisfies Shared);
}

/** The sign-in that the page before handed over, once. */
export function takeHandedOver(): Shared | null {
  if (!window.name.startsWith(MARK)) return null;
  const text = window.name.slice(MARK.length);
  window.name = '';
  try {
    return JSON.parse(text) as Shared;
  } catch {
    return null;
  }
}
