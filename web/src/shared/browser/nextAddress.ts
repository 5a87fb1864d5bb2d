const KEY = 'sooner.address';
/** Longest validity of a mailed link. */
const LIFE_MS = 24 * 3_600_000;

interface Kept {
  email: string;
  /** Expiry by this device's clock (ms). */
  until: number;
}

/**
 * Stores the address of a user who leaves to read a mail, so that the page of its link and the
 * sign-in know it.
 */
export function keepAddress(email: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ email, until: Date.now() + LIFE_MS } satisfies Kept));
  } catch {
    // Without storage it has to be typed again.
  }
}

/** Returns the stored address, or null. */
export function keptAddress(): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
    const left = (kept?.until ?? 0) - Date.now();
    return kept && left > 0 && left <= LIFE_MS ? kept.email : null;
  } catch {
    return null;
  }
}

/** Deletes it after its use or a sign-in. */
export function forgetAddress(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}
