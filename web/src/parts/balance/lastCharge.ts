import type { Cost } from '../../shared/api/pricing.ts';
import type { SubmitAnswer } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

/** What the last submit of this page's life put on hold, and what that left. */
interface LastCharge {
  cost: Cost;
  balance: NonNullable<SubmitAnswer['user_balance']>;
  /** Applicants' names by task. */
  names: Record<string, string>;
  /** When (ms). */
  at: number;
}

/** The toast that says the same. */
export const SUBMITTED_TOAST = 'submitted';

const last = createStore<LastCharge | null>(null);

/** Keeps a charge to be shown on the dashboard, or forgets it: when read, and at sign-out. */
export const keepCharge = last.set;

/** The charge not yet put away. */
export const useLastCharge = () => useStore(last);

/** So long after a submit a low balance is what was to be expected. */
const EXPECTED_MS = 10 * 60_000;

/** Whether a submit was moments ago: then a low balance is stated, not warned of. */
export function useJustCharged(): boolean {
  const charge = useLastCharge();
  const now = useNow(charge ? 30_000 : 0);
  return charge !== null && now - charge.at < EXPECTED_MS;
}
