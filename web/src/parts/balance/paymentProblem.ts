import { hasCode } from '../../shared/api/errors.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** Problem of a payment: our text, and below it more text or the provider's sentence. */
export interface PaymentProblem {
  words: Words;
  more?: Words;
  text?: string;
}

/** Returns why a payment could not start. */
export function intentProblem(error: unknown): PaymentProblem {
  if (hasCode(error, 'CARD_NOT_CONFIGURED')) return { words: 'problem.cardUnavailable' };
  if (hasCode(error, 'MONEY_FROZEN')) return { words: 'problem.moneyFrozen' };
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return { words: 'problem.tooMany' };
  if (hasCode(error, 'CARD_PROVIDER_UNAVAILABLE')) return { words: 'card.intentFailed', more: 'problem.cardSystemUnavailable' };
  return { words: 'card.intentFailed', more: hasCode(error, 'NETWORK_ERROR') ? 'problem.network' : undefined };
}
