const KEY = 'sooner.address';
/** As long as the link of a mail works at most. */
const LIFE_MS = 24 * 3_600_000;

interface Kept {
  email: string;
  /** When it is forgotten, by this device's clock (ms). */
  until: number;
}

/** Keeps the address of whoever goes to read a mail now, so that the page its link opens, and the sign-in after it, know whose it is. */
export function keepAddress(email: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ email, until: Date.now() + LIFE_MS } satisfies Kept));
  } catch {
    // Without storage it has to be typed again.
  }
}

/** The address kept; null for none. */
export function keptAddress(): string | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Kept | null;
    const left = (kept?.until ?? 0) - Date.now();
    return kept && left > 0 && left <= LIFE_MS ? kept.email : null;
  } catch {
    return null;
  }
}

/** Forgets it: it has served, or somebody has signed in. */
export function forgetAddress(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}
