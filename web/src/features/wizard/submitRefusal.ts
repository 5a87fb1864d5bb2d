import { submitErrorText } from '../../parts/balance/codeTexts.ts';
import { type ApiError, hasCode, NETWORK_ERROR } from '../../shared/api/errors.ts';
import type { Shortage } from '../../shared/api/pricing.ts';
import type { CostDetails } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Reason of a refused submission. At most one field is set. */
export interface Refusal {
  /** Missing amount, if the balance is too low. */
  short: Shortage | null;
  /** Present price, if it has changed. */
  changed: CostDetails | null;
  /** Error, if an appointment already has a task. */
  taken: ApiError | null;
  /** Text of any other reason. */
  textKey: TextKey | null;
}

/** Converts the error of a submission to a refusal. Without an error all fields are null. */
export function readRefusal(error: unknown): Refusal {
  const none: Refusal = { short: null, changed: null, taken: null, textKey: null };
  if (!error) return none;
  const short = hasCode(error, 'INSUFFICIENT_CREDIT') ? (error.data as Shortage | null) : null;
  if (short) return { ...none, short };
  if (hasCode(error, 'SCHEDULE_ALREADY_EXISTS')) return { ...none, taken: error };
  const changed = hasCode(error, 'PRICE_CHANGED')
    ? ((error.data as { cost_details?: CostDetails } | null)?.cost_details ?? null)
    : null;
  if (changed) return { ...none, changed };
  return { ...none, textKey: hasCode(error, NETWORK_ERROR) ? 'submit.lost' : submitErrorText(error) };
}
