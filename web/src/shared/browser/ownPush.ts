const KEY = 'sooner.push';

/** Push channel of this browser: its id, its push address, and the user who added it. */
export interface OwnPush {
  id: string;
  endpoint: string;
  /** Id of the user who added the channel. */
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
    // Storage is blocked. The list of channels then does not mark this browser.
  }
}
