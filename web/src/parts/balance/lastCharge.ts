import { useSyncExternalStore } from 'react';
import type { Cost } from '../../shared/api/pricing.ts';
import type { SubmitAnswer } from '../../shared/api/types.ts';

/** What the last submit of this page's life put on hold, and what that left. */
export interface LastCharge {
  cost: Cost;
  balance: SubmitAnswer['user_balance'];
  /** Applicants' names by task. */
  names: Record<string, string>;
}

let last: LastCharge | null = null;
const listeners = new Set<() => void>();

/** Keeps a charge to be shown on the dashboard, or forgets it: when read, and at sign-out. */
export function keepCharge(charge: LastCharge | null): void {
  last = charge;
  for (const tell of listeners) tell();
}

const subscribe = (tell: () => void) => {
  listeners.add(tell);
  return () => listeners.delete(tell);
};

/** The charge not yet put away. */
export function useLastCharge(): LastCharge | null {
  return useSyncExternalStore(subscribe, () => last);
}
