import { dayEnd, dayStart } from '../format/zoneDay.ts';
import { answer, client } from './client.ts';
import type { Schemas } from './types.ts';

/** Origin of a part of a discount. */
export type DiscountType = Schemas['DiscountType'];
/** An amount off the unit price, and the reason. */
export type DiscountLine = Schemas['DiscountLine'];
/** Outcome of a promo or referral code. */
export type CodeStatus = Schemas['CodeStatus'];
/** A requested code, its outcome, and its discount on the unit price. */
export type CodeAnswer = Schemas['CodeOutcome'];
/** The price of one task. */
export type TaskPrice = Schemas['SchedulePrice'];
/** Parameters of a price request. */
export type PriceQuestion = Pick<Schemas['PriceRequest'], 'schedule_ids'> & { promo_code?: string; referral_code?: string };

type Price = Schemas['Price'];
type PriceDetails = 'discount_lines' | 'promo' | 'referral' | 'schedule_pricing';
/** The response of both calculate requests. The GET one has neither codes nor tasks. */
export type PriceAnswer = Omit<Price, 'calculation' | PriceDetails> & Partial<Pick<Price, PriceDetails>>;

/** Kinds of movements. */
export type MovementKind = Schemas['MovementKind'];
/** One movement: its change of the available balance and of the hold, and both after it. */
export type Movement = Schemas['MovementView'];
/** Movements, newest first, and the start of the next page. */
type MovementPage = Schemas['Ledger'];

/** Filter of movements. Days are civil ones of the display zone, both included. */
export interface MovementFilter {
  kind?: MovementKind;
  from?: string;
  to?: string;
}

/**
 * Subject of a receipt's line: a part of the price per applicant, applicants who had paid before,
 * or the movement itself.
 */
export type ReceiptPart = 'base' | 'entitled' | DiscountType | MovementKind;
/** A line of a receipt: quantity and unit price. Deductions are negative. */
type ReceiptLine = Omit<Schemas['ReceiptLine'], 'type'> & { type: ReceiptPart };
/** A movement as a receipt. */
export type Receipt = Omit<Schemas['Receipt'], 'lines'> & { lines: ReceiptLine[] };
/** Narrows the lines of a receipt to `ReceiptPart`. The OpenAPI document calls them texts. */
export const asReceipt = (receipt: Schemas['Receipt']) => receipt as Receipt;
/** The user's referral code, its benefits, and its results. */
export type Referral = Schemas['ReferralView'];
/** Availability of cards, and the parameters of the provider's library. */
export type CardConfig = Schemas['StripeConfig'];
/** A method of the card provider: a card or a wallet, with its limits. */
export type WalletOffer = CardConfig['methods'][number];
/** A payment as our server knows it. */
export type CardPayment = Schemas['PaymentStatus'];

/** The refundable part of the balance, and the refunds so far. */
export type Refunds = Schemas['Refunds'];
/** A payment that a refund would go back to. */
export type RefundablePayment = Schemas['RefundablePayment'];
/** A refund and its state. */
export type Refund = Schemas['RefundView'];

/**
 * Reads the movements of a filter, newest first: from the newest, or from the end of the previous
 * page.
 */
export function readMovements({ kind, from, to }: MovementFilter, limit: number, before?: string): Promise<MovementPage> {
  const query = { kind, from: from && dayStart(from), to: to && dayEnd(to), limit, before };
  return answer(client.GET('/users/ledger', { params: { query } }));
}
