import type { Ref } from 'react';
import { cents } from '../../shared/api/pricing.ts';
import type { CodeState } from './useCodeCheck.ts';

/** State of the visible top-up form. */
export type TopUpDraft = { way: 'code'; state: CodeState } | { way: 'card'; amount: number | null } | { way: 'wallet' };

/**
 * Handle with which a page's own button starts a top-up. `run` resolves to the new balance, or to
 * null if the top-up failed. The form then shows the reason.
 */
export interface TopUp {
  run: () => Promise<number | null>;
  /** Clears the form's error before another attempt. */
  forget: () => void;
}

/**
 * Interface between a page and the top-up forms, if the page's own button pays. The forms then have
 * no button.
 */
export interface Driven {
  ref: Ref<TopUp>;
  onDraft: (draft: TopUpDraft) => void;
  /** Called when the user presses Enter in a field. */
  onEnter: () => void;
}

/** Suggested amount: the missing amount, or the price for a number of applicants. */
export interface AmountPreset {
  amount: number;
  /** Number of applicants, or 0 for the missing amount. */
  applicants: number;
}

const MOST_APPLICANTS = 3;

/**
 * Returns the suggested amounts: the missing amount, and the prices of one, two and three
 * applicants that exceed it.
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
