import { hasCode } from '../../shared/api/errors.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** What went wrong with a payment: our words, and under them more words or the provider's own sentence. */
export interface PaymentProblem {
  words: Words;
  more?: Words;
  text?: string;
}

/** Why a payment could not be begun. */
export function intentProblem(error: unknown): PaymentProblem {
  if (hasCode(error, 'CARD_NOT_CONFIGURED')) return { words: 'problem.cardUnavailable' };
  if (hasCode(error, 'MONEY_FROZEN')) return { words: 'problem.moneyFrozen' };
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return { words: 'problem.tooMany' };
  if (hasCode(error, 'CARD_PROVIDER_UNAVAILABLE')) return { words: 'card.intentFailed', more: 'problem.cardSystemUnavailable' };
  return { words: 'card.intentFailed', more: hasCode(error, 'NETWORK_ERROR') ? 'problem.network' : undefined };
}
