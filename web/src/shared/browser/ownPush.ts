const KEY = 'sooner.push';

/** The channel of this browser, and its push address. */
export interface OwnPush {
  id: string;
  endpoint: string;
  /** User who added it. */
  user: string;
}

export function ownPush(): OwnPush | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as OwnPush | null;
  } catch {
    return null;
  }
}

export function storeOwnPush(own: OwnPush | null): void {
  try {
    if (own) localStorage.setItem(KEY, JSON.stringify(own));
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the list does not mark this browser.
  }
}
