import type { Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js';
import type { PayMessage } from './parent.ts';

/** Name of the payer, which the provider requires. The real name is not sent. */
const BILLING_NAME = 'Sooner customer';
/**
 * Decline codes for which the app has a text, in order of precedence. For other codes the
 * provider's message is passed on.
 */
const EXPLAINED_CODES = [
  'insufficient_funds',
  'expired_card',
  'incorrect_cvc',
  'incorrect_number',
  'payment_intent_authentication_failure',
  'authentication_required',
  'card_declined',
];

/**
 * Confirms a payment with the entered card. It never throws, and always returns a message for the
 * parent page.
 */
export async function confirmCard(library: Stripe | null, card: StripeCardElement | null, secret: string): Promise<PayMessage> {
  if (!library) return { type: 'failed', code: 'not_loaded' };
  if (!card) return { type: 'failed', code: 'no_card' };
  try {
    const { paymentIntent, error } = await library.confirmCardPayment(secret, {
      payment_method: { card, billing_details: { name: BILLING_NAME } },
    });
    if (error) return refusal(error);
    // Our server decides whether the payment succeeded, also if the bank still processes it.
    if (paymentIntent.status === 'succeeded' || paymentIntent.status === 'processing')
      return { type: 'succeeded', payment_intent_id: paymentIntent.id };
    return { type: 'failed', code: 'not_completed' };
  } catch {
    return { type: 'failed', code: 'payment_failed' };
  }
}

function refusal({ code, decline_code, message }: StripeError): PayMessage {
  const explained = EXPLAINED_CODES.find((text) => text === decline_code || text === code);
  return explained ? { type: 'failed', code: explained } : { type: 'failed', code: code ?? 'payment_failed', message };
}
