import type { Ref } from 'react';
import { cents } from '../../shared/api/pricing.ts';
import type { CodeState } from './useCodeCheck.ts';

/** What the top-up forms would do now. */
export type TopUpDraft = { way: 'code'; state: CodeState } | { way: 'card'; amount: number | null } | { way: 'wallet' };

/** A top-up that the page's own button makes. Resolves to the balance after it; null where it failed, and the form says why. */
export interface TopUp {
  run: () => Promise<number | null>;
  /** Another try begins: what the form said of the last one is said no more. */
  forget: () => void;
}

/** How a page drives the forms, which then have no button of their own. */
export interface Driven {
  ref: Ref<TopUp>;
  onDraft: (draft: TopUpDraft) => void;
  /** Enter was pressed in a field. */
  onEnter: () => void;
}

/** An amount to choose: what is missing, or the price of a number of applicants. */
export interface AmountPreset {
  amount: number;
  /** 0 for what is missing. */
  applicants: number;
}

const MOST_APPLICANTS = 3;

/** The amounts offered where `missing` is short: just that, and the price of one, two and three applicants where it is more. */
export function amountPresets(
  missing: number,
  unitPrice: number,
  limits: { min_amount: number; max_amount: number },
): AmountPreset[] {
  const prices = Array.from({ length: MOST_APPLICANTS }, (_, n) => ({ amount: cents(unitPrice * (n + 1)), applicants: n + 1 }));
  const least = Math.max(missing, limits.min_amount);
  const more = prices.filter(({ amount }) => amount > least);
  return [{ amount: least, applicants: 0 }, ...more].filter(({ amount }) => amount <= limits.max_amount);
}
