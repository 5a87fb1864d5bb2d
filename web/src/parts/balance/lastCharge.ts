import type { Cost } from '../../shared/api/pricing.ts';
import type { SubmitAnswer } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

/** Costs and remaining balance of the last submission while this page was open. */
interface LastCharge {
  cost: Cost;
  balance: NonNullable<SubmitAnswer['user_balance']>;
  /** Names of the applicants, by task id. */
  names: Record<string, string>;
  /** Time of the submission, in ms. */
  at: number;
}

/** Name of the toast that reports the same submission. */
export const SUBMITTED_TOAST = 'submitted';

const last = createStore<LastCharge | null>(null);

/** Stores the last submission for the dashboard. Null deletes it. */
export const storeCharge = last.set;

/** Returns the last submission, or null if the user has dismissed it. */
export const useLastCharge = () => useStore(last);

/** Period after a submission in which a low balance is expected. */
const EXPECTED_MS = 10 * 60_000;

/** Returns whether the user submitted a task recently. A low balance is then not a warning. */
export function useJustCharged(): boolean {
  const charge = useLastCharge();
  const now = useNow(charge ? 30_000 : 0);
  return charge !== null && now - charge.at < EXPECTED_MS;
}
