const KEY = 'sooner.referral';
const PARAMETER = 'ref';
const SHAPE = /^[A-Za-z0-9-]{3,64}$/;

/**
 * Stores the code of an address such as `/?ref=CODE` until a registration in this browser. It
 * ignores other texts.
 */
export function rememberReferral(search: string): void {
  const code = new URLSearchParams(search).get(PARAMETER)?.trim() ?? '';
  if (!SHAPE.test(code)) return;
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // Without storage the code counts on this page only.
  }
}

/** Returns the code of this address, else the stored one, else an empty string. */
export function referralAtHand(search: string): string {
  const named = new URLSearchParams(search).get(PARAMETER)?.trim() ?? '';
  if (SHAPE.test(named)) return named;
  try {
    const kept = localStorage.getItem(KEY) ?? '';
    return SHAPE.test(kept) ? kept : '';
  } catch {
    return '';
  }
}

/** Deletes the code after a registration with it. */
export function forgetReferral(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

/** Returns the address to send to a referred user. */
export const referralLink = (origin: string, code: string) => `${origin}/?${PARAMETER}=${encodeURIComponent(code)}`;
