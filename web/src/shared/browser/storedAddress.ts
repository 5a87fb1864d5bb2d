const KEY = 'sooner.address';
/** Longest validity of a mailed link. */
const LIFE_MS = 24 * 3_600_000;

interface StoredAddress {
  email: string;
  /** Expiry by this device's clock (ms). */
  until: number;
}

/**
 * Stores the mail address of a user who leaves the page to open a mailed link. The page of that
 * link and the sign-in page then fill it in.
 */
export function storeAddress(email: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ email, until: Date.now() + LIFE_MS } satisfies StoredAddress));
  } catch {
    // Storage is blocked. The user has to type the address again.
  }
}

/** Returns the stored address, or null. */
export function storedAddress(): string | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as StoredAddress | null;
    const left = (stored?.until ?? 0) - Date.now();
    return stored && left > 0 && left <= LIFE_MS ? stored.email : null;
  } catch {
    return null;
  }
}

/** Deletes the stored address, after its use or after a sign-in. */
export function deleteAddress(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so no address is stored.
  }
}
