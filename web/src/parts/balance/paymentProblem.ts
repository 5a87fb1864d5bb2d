import { hasCode } from '../../shared/api/errors.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Problem of a payment: our text, and below it more text or the provider's sentence. */
export interface PaymentProblem {
  textKey: TextKey;
  more?: TextKey;
  text?: string;
}

/** Returns why a payment could not start. */
export function intentProblem(error: unknown): PaymentProblem {
  if (hasCode(error, 'CARD_NOT_CONFIGURED')) return { textKey: 'problem.cardUnavailable' };
  if (hasCode(error, 'MONEY_FROZEN')) return { textKey: 'problem.moneyFrozen' };
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return { textKey: 'problem.tooMany' };
  if (hasCode(error, 'CARD_PROVIDER_UNAVAILABLE')) return { textKey: 'card.intentFailed', more: 'problem.cardSystemUnavailable' };
  return { textKey: 'card.intentFailed', more: hasCode(error, 'NETWORK_ERROR') ? 'problem.network' : undefined };
}
