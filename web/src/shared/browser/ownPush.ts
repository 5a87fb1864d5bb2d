const KEY = 'sooner.push';

/** Which channel this browser is, and the address it was added with. */
export interface OwnPush {
  id: string;
  endpoint: string;
  /** Who added it. */
  user: string;
}

export function ownPush(): OwnPush | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? 'null') as OwnPush | null;
  } catch {
    return null;
  }
}

export function keepOwnPush(own: OwnPush | null): void {
  try {
    if (own) localStorage.setItem(KEY, JSON.stringify(own));
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage the list does not say which browser is this one.
  }
}
