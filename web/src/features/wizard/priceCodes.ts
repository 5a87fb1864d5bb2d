import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const KEY = 'sooner.priceCodes';

/** Codes typed in the wizard. The price request and the submit contain them. */
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
    // Without storage the codes live as long as the page.
  }
  codes.set(next);
}

/** Deletes the codes, at sign-out and after a submit, whose task has them now. */
export const forgetPriceCodes = () => write(none);

/** Stores a code for the price and the submit. An empty one deletes it. */
export const setPriceCode = (kind: keyof PriceCodes, code: string) => write({ ...codes.get(), [kind]: code });

/** Returns the typed codes, also after a reload. */
export const usePriceCodes = () => useStore(codes);

/** Returns the codes in the form of the API. */
export function codesOnWire(given: PriceCodes): { promo_code?: string; referral_code?: string } {
  return {
    ...(given.promo ? { promo_code: given.promo } : {}),
    ...(given.referral ? { referral_code: given.referral } : {}),
  };
}
