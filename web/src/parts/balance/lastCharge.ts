import type { Cost } from '../../shared/api/pricing.ts';
import type { SubmitAnswer } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

/** Hold and remaining balance of the last submit in this page's lifetime. */
interface LastCharge {
  cost: Cost;
  balance: NonNullable<SubmitAnswer['user_balance']>;
  /** Applicants' names by task. */
  names: Record<string, string>;
  /** Time (ms). */
  at: number;
}

/** The toast with the same content. */
export const SUBMITTED_TOAST = 'submitted';

const last = createStore<LastCharge | null>(null);

/** Stores a charge for the dashboard, or deletes it: when read, and at sign-out. */
export const storeCharge = last.set;

/** Returns the charge until it is dismissed. */
export const useLastCharge = () => useStore(last);

/** Period after a submit in which a low balance is expected. */
const EXPECTED_MS = 10 * 60_000;

/** Returns whether a submit was moments ago. Then a low balance is stated, not warned of. */
export function useJustCharged(): boolean {
  const charge = useLastCharge();
  const now = useNow(charge ? 30_000 : 0);
  return charge !== null && now - charge.at < EXPECTED_MS;
}
