import { dayEnd, dayStart } from '../format/zoneDay.ts';
import { answer, client } from './client.ts';
import type { Schemas } from './types.ts';

/** Kind of a discount, such as a promo code. */
export type DiscountType = Schemas['DiscountType'];
/** Amount off the unit price, with its kind. */
export type DiscountLine = Schemas['DiscountLine'];
/** Outcome of a promo or referral code. */
export type CodeStatus = Schemas['CodeStatus'];
/** Promo or referral code of a price request, its outcome, and its discount on the unit price. */
export type CodeAnswer = Schemas['CodeOutcome'];
/** The price of one task. */
export type TaskPrice = Schemas['SchedulePrice'];
/** Parameters of a price request. */
export type PriceQuestion = Pick<Schemas['PriceRequest'], 'schedule_ids'> & { promo_code?: string; referral_code?: string };

type Price = Schemas['Price'];
type PriceDetails = 'discount_lines' | 'promo' | 'referral' | 'schedule_pricing';
/** Response of both price requests. The GET response contains neither codes nor tasks. */
export type PriceAnswer = Omit<Price, 'calculation' | PriceDetails> & Partial<Pick<Price, PriceDetails>>;

/** Kind of a movement, which is one entry of the user's ledger. */
export type MovementKind = Schemas['MovementKind'];
/**
 * Movement of the user's money: changes of the available balance and of the amount on hold, and
 * both amounts afterwards.
 */
export type Movement = Schemas['MovementView'];
/** Page of movements, newest first, with the cursor of the next page. */
type MovementPage = Schemas['Ledger'];

/** Filter of movements. Both dates are inclusive, in the display zone. */
export interface MovementFilter {
  kind?: MovementKind;
  from?: string;
  to?: string;
}

/**
 * Subject of a receipt line: a part of the price, applicants who had already paid, or the movement
 * itself.
 */
export type ReceiptPart = 'base' | 'entitled' | DiscountType | MovementKind;
/** Line of a receipt with quantity and unit price. Deductions are negative. */
type ReceiptLine = Omit<Schemas['ReceiptLine'], 'type'> & { type: ReceiptPart };
/** Receipt of one movement. */
export type Receipt = Omit<Schemas['Receipt'], 'lines'> & { lines: ReceiptLine[] };
/**
 * Narrows the type of the receipt lines to `ReceiptPart`. The OpenAPI document declares them as
 * plain texts.
 */
export const asReceipt = (receipt: Schemas['Receipt']) => receipt as Receipt;
/** The user's referral code, its benefits, and its results. */
export type Referral = Schemas['ReferralView'];
/**
 * Configuration of card payments: whether they are available, and the parameters of the card
 * provider's library.
 */
export type CardConfig = Schemas['StripeConfig'];
/** Payment method of the card provider, such as a card or a wallet, with its limits. */
export type WalletOffer = CardConfig['methods'][number];
/** State of a card payment as our server stores it. */
export type CardPayment = Schemas['PaymentStatus'];

/** Part of the balance that can be refunded, and the refunds so far. */
export type Refunds = Schemas['Refunds'];
/** Payment that can be refunded. */
export type RefundablePayment = Schemas['RefundablePayment'];
/** A refund and its state. */
export type Refund = Schemas['RefundView'];

/** Requests a page of movements, newest first. `before` is the cursor of the previous page. */
export function readMovements({ kind, from, to }: MovementFilter, limit: number, before?: string): Promise<MovementPage> {
  const query = { kind, from: from && dayStart(from), to: to && dayEnd(to), limit, before };
  return answer(client.GET('/users/ledger', { params: { query } }));
}
