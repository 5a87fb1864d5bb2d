import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Message from the card page. */
export type FrameEvent =
  | { type: 'ready' }
  | { type: 'resize'; height: number }
  | { type: 'processing' }
  | { type: 'succeeded'; paymentIntentId: string | null }
  | { type: 'failed'; code: string | null; message: string | null }
  | { type: 'cancelled' };

/** Message to the card page. */
export type FrameOrder = { type: 'pay'; client_secret: string; amount: number; currency: string };

const SOURCE = 'sooner-pay';
const SHORTEST_PX = 48;
const TALLEST_PX = 900;

const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : null);

/** Parses a message from the card page. Returns null if it is not one. */
export function readFrameEvent(data: unknown): FrameEvent | null {
  if (typeof data !== 'object' || data === null) return null;
  const message = data as Record<string, unknown>;
  if (message.source !== SOURCE) return null;
  switch (message.type) {
    case 'ready':
    case 'processing':
    case 'cancelled':
      return { type: message.type };
    case 'resize': {
      const height = Number(message.height);
      // Limits the height that the card page may request.
      return Number.isFinite(height)
        ? { type: 'resize', height: Math.min(TALLEST_PX, Math.max(SHORTEST_PX, Math.ceil(height))) }
        : null;
    }
    case 'succeeded':
      return { type: 'succeeded', paymentIntentId: text(message.payment_intent_id) };
    case 'failed':
      return { type: 'failed', code: text(message.code), message: text(message.message) };
    default:
      return null;
  }
}

/** Wraps a message in the format that the card page expects. */
export const frameOrder = (order: FrameOrder) => ({ source: 'sooner', ...order });

const failures: Record<string, TextKey> = {
  not_loaded: 'card.notLoaded',
  no_card: 'card.noCard',
  not_completed: 'card.notCompleted',
  init_failed: 'card.initFailed',
  config_failed: 'card.configFailed',
  config_incomplete: 'card.incomplete',
  unavailable: 'problem.cardUnavailable',
  card_declined: 'card.declined',
  insufficient_funds: 'card.noFunds',
  expired_card: 'card.expired',
  incorrect_cvc: 'card.wrongCvc',
  incorrect_number: 'card.wrongNumber',
  payment_intent_authentication_failure: 'card.authentication',
  authentication_required: 'card.authentication',
};

/**
 * Returns the text for an error code of the card page. Unknown codes of the provider get the text
 * of a failed payment.
 */
export const frameFailureText = (code: string | null): TextKey => failures[code ?? ''] ?? 'card.failed';
