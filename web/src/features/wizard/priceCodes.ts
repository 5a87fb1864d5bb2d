import { useSyncExternalStore } from 'react';

const KEY = 'sooner.priceCodes';

/** The codes given in the wizard, which the price is asked with and the submit carries. */
export interface PriceCodes {
  promo: string;
  referral: string;
}

const none: PriceCodes = { promo: '', referral: '' };
const listeners = new Set<() => void>();
let codes: PriceCodes | null = null;

function load(): PriceCodes {
  try {
    return { ...none, ...(JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<PriceCodes> | null) };
  } catch {
    return none;
  }
}

function read(): PriceCodes {
  codes ??= load();
  return codes;
}

function write(next: PriceCodes): void {
  codes = next;
  try {
    if (next.promo || next.referral) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // The codes live as long as the page.
  }
  for (const tell of listeners) tell();
}

/** Drops the codes: at sign-out and after a submit, whose task has them now. */
export const forgetPriceCodes = () => write(none);

/** Keeps a code for the price and the submit; an empty one takes it away. */
export const setPriceCode = (kind: keyof PriceCodes, code: string) => write({ ...read(), [kind]: code });

const subscribe = (tell: () => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

/** The codes given, over a reload too. */
export function usePriceCodes(): PriceCodes {
  return useSyncExternalStore(subscribe, read);
}

/** The codes as the calls carry them. */
export function codesOnWire(given: PriceCodes): { promo_code?: string; referral_code?: string } {
  return {
    ...(given.promo ? { promo_code: given.promo } : {}),
    ...(given.referral ? { referral_code: given.referral } : {}),
  };
}
