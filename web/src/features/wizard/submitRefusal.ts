import { submitErrorWords } from '../../parts/balance/codeWords.ts';
import { type ApiError, hasCode, NETWORK_ERROR } from '../../shared/api/errors.ts';
import type { Shortage } from '../../shared/api/pricing.ts';
import type { CostDetails } from '../../shared/api/types.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** What a refused submit is about: at most one of them. */
export interface Refusal {
  /** The balance does not do. */
  short: Shortage | null;
  /** The price as it is by now. */
  changed: CostDetails | null;
  /** An appointment is somebody's already. */
  taken: ApiError | null;
  /** Anything else, in words. */
  words: Words | null;
}

/** Reads what came of a submit; nothing was refused where there is no error. */
export function readRefusal(error: unknown): Refusal {
  const none: Refusal = { short: null, changed: null, taken: null, words: null };
  if (!error) return none;
  const short = hasCode(error, 'INSUFFICIENT_CREDIT') ? (error.data as Shortage | null) : null;
  if (short) return { ...none, short };
  if (hasCode(error, 'SCHEDULE_ALREADY_EXISTS')) return { ...none, taken: error };
  const changed = hasCode(error, 'PRICE_CHANGED')
    ? ((error.data as { cost_details?: CostDetails } | null)?.cost_details ?? null)
    : null;
  if (changed) return { ...none, changed };
  return { ...none, words: hasCode(error, NETWORK_ERROR) ? 'submit.lost' : submitErrorWords(error) };
}
