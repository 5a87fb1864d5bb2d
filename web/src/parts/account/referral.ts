const KEY = 'sooner.referral';
const PARAMETER = 'ref';
const SHAPE = /^[A-Za-z0-9-]{3,64}$/;

/** Keeps the code of an address like `/?ref=CODE` until somebody registers in this browser; another kind of text is left alone. */
export function rememberReferral(search: string): void {
  const code = new URLSearchParams(search).get(PARAMETER)?.trim() ?? '';
  if (!SHAPE.test(code)) return;
  try {
    localStorage.setItem(KEY, code);
  } catch {
    // Without storage the code counts on this page only.
  }
}

/** The code at hand: of this address, else the one kept; empty for none. */
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

/** Forgets the code: it has gone with a registration. */
export function forgetReferral(): void {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Nothing was kept.
  }
}

/** The address to send to a friend. */
export const referralLink = (origin: string, code: string) => `${origin}/?${PARAMETER}=${encodeURIComponent(code)}`;
