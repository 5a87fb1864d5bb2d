const KEY = 'sooner.address';
/** Longest validity of a mailed link. */
const LIFE_MS = 24 * 3_600_000;

interface StoredAddress {
  email: string;
  /** Expiry by this device's clock (ms). */
  until: number;
}

/**
 * Stores the address of a user who leaves to read a mail, so that the page of its link and the
 * sign-in know it.
 */
export function storeAddress(email: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ email, until: Date.now() + LIFE_MS } satisfies StoredAddress));
  } catch {
    // Without storage it has to be typed again.
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

/** Deletes it after its use or a sign-in. */
export function deleteAddress(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}
