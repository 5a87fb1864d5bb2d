const KEY = 'sooner.referral';
const PARAMETER = 'ref';
const SHAPE = /^[A-Za-z0-9-]{3,64}$/;

/**
 * Stores the referral code in an address such as `/?ref=CODE` until the user registers. Invalid
 * codes are ignored.
 */
export function rememberReferral(search: string): void {
  const code = new URLSearchParams(search).get(PARAMETER)?.trim() ?? '';
  if (!SHAPE.test(code)) return;
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // Storage is blocked. The code is then used only on this page.
  }
}

/** Returns the referral code in the address, else the stored one, else an empty string. */
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

/** Deletes the stored referral code, after the user has registered with it. */
export function forgetReferral(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}

/** Returns the link with a referral code, which a user sends to others. */
export const referralLink = (origin: string, code: string) => `${origin}/?${PARAMETER}=${encodeURIComponent(code)}`;
