import { hasCode } from '../../shared/api/errors.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Problem of a payment: a text, and optionally another text or the provider's message below it. */
export interface PaymentProblem {
  textKey: TextKey;
  more?: TextKey;
  text?: string;
}

/** Returns the problem of a payment that could not start. */
export function intentProblem(error: unknown): PaymentProblem {
  if (hasCode(error, 'CARD_NOT_CONFIGURED')) return { textKey: 'problem.cardUnavailable' };
  if (hasCode(error, 'MONEY_FROZEN')) return { textKey: 'problem.moneyFrozen' };
  if (hasCode(error, 'TOO_MANY_ATTEMPTS')) return { textKey: 'problem.tooMany' };
  if (hasCode(error, 'CARD_PROVIDER_UNAVAILABLE')) return { textKey: 'card.intentFailed', more: 'problem.cardSystemUnavailable' };
  return { textKey: 'card.intentFailed', more: hasCode(error, 'NETWORK_ERROR') ? 'problem.network' : undefined };
}
