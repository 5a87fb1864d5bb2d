import type { Ref } from 'react';
import { cents } from '../../shared/api/pricing.ts';
import type { CodeState } from './useCodeCheck.ts';

/** Present state of the top-up forms. */
export type TopUpDraft = { way: 'code'; state: CodeState } | { way: 'card'; amount: number | null } | { way: 'wallet' };

/**
 * A top-up by the page's own button. It resolves to the new balance, or null if it failed; the form
 * then shows why.
 */
export interface TopUp {
  run: () => Promise<number | null>;
  /** Clears the form's error before another attempt. */
  forget: () => void;
}

/** Callbacks of a page that drives the forms, which then have no button of their own. */
export interface Driven {
  ref: Ref<TopUp>;
  onDraft: (draft: TopUpDraft) => void;
  /** Enter was pressed in a field. */
  onEnter: () => void;
}

/** An amount to choose: the missing one, or the price of a number of applicants. */
export interface AmountPreset {
  amount: number;
  /** 0 for the missing amount. */
  applicants: number;
}

const MOST_APPLICANTS = 3;

/**
 * Returns the amounts to offer if `missing` is the shortage: exactly that, and the price of one,
 * two and three applicants if it is higher.
 */
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
