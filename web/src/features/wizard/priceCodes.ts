import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const KEY = 'sooner.priceCodes';

/**
 * Promo and referral code that the user typed. The price request and the submission contain them.
 */
export interface PriceCodes {
  promo: string;
  referral: string;
}

const none: PriceCodes = { promo: '', referral: '' };

function load(): PriceCodes {
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<PriceCodes> | null) };
  } catch {
    return none;
  }
}

const codes = createStore(load());

function write(next: PriceCodes): void {
  try {
    if (next.promo || next.referral) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked. The codes exist until the page closes.
  }
  codes.set(next);
}

/** Deletes the codes after a sign-out or a submission. */
export const forgetPriceCodes = () => write(none);

/** Stores a code for the price request and the submission. An empty text deletes it. */
export const setPriceCode = (kind: keyof PriceCodes, code: string) => write({ ...codes.get(), [kind]: code });

/** Returns the typed codes, which survive a reload of the page. */
export const usePriceCodes = () => useStore(codes);

/** Converts the codes to fields of a request. */
export function codesOnWire(given: PriceCodes): { promo_code?: string; referral_code?: string } {
  return {
    ...(given.promo ? { promo_code: given.promo } : {}),
    ...(given.referral ? { referral_code: given.referral } : {}),
  };
}
