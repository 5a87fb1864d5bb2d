import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const KEY = 'sooner.priceCodes';

/** The codes given in the wizard, which the price is asked with and the submit carries. */
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
    // The codes live as long as the page.
  }
  codes.set(next);
}

/** Drops the codes: at sign-out and after a submit, whose task has them now. */
export const forgetPriceCodes = () => write(none);

/** Keeps a code for the price and the submit; an empty one takes it away. */
export const setPriceCode = (kind: keyof PriceCodes, code: string) => write({ ...codes.get(), [kind]: code });

/** The codes given, over a reload too. */
export const usePriceCodes = () => useStore(codes);

/** The codes as the calls carry them. */
export function codesOnWire(given: PriceCodes): { promo_code?: string; referral_code?: string } {
  return {
    ...(given.promo ? { promo_code: given.promo } : {}),
    ...(given.referral ? { referral_code: given.referral } : {}),
  };
}
