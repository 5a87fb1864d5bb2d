import { dayEnd, dayStart } from '../format/zoneDay.ts';
import { answer, client } from './client.ts';
import type { Schemas } from './types.ts';

/** Where a part of a discount comes from. */
export type DiscountType = Schemas['DiscountType'];
/** An amount off the unit price, and why. */
export type DiscountLine = Schemas['DiscountLine'];
/** What became of a promo or referral code. */
export type CodeStatus = Schemas['CodeStatus'];
/** A code as it was asked for, what became of it and what it takes off the unit price. */
export type CodeAnswer = Schemas['CodeOutcome'];
/** The price of one task. */
export type TaskPrice = Schemas['SchedulePrice'];
/** What the price is asked for. */
export type PriceQuestion = Pick<Schemas['PriceRequest'], 'schedule_ids'> & { promo_code?: string; referral_code?: string };

type Price = Schemas['Price'];
type Unasked = 'discount_lines' | 'promo' | 'referral' | 'schedule_pricing';
/** The answer of both calculate calls; the GET one knows neither codes nor tasks. */
export type PriceAnswer = Omit<Price, 'calculation' | Unasked> & Partial<Pick<Price, Unasked>>;

/** The kinds of movements there are. */
export type MovementKind = Schemas['MovementKind'];
/** One movement: what it did to the available balance and to what is on hold, and both after it. */
export type Movement = Schemas['MovementView'];
/** Movements, newest first, and where the next page begins. */
type MovementPage = Schemas['Ledger'];

/** Which movements; days are civil ones of the display zone, both included. */
export interface MovementFilter {
  kind?: MovementKind;
  from?: string;
  to?: string;
}

/** What a line of a receipt is about: a part of the price per person, people who had paid before, or the movement itself. */
export type ReceiptPart = 'base' | 'entitled' | DiscountType | MovementKind;
/** A line of a receipt: so many at so much; what is taken off is below zero. */
type ReceiptLine = Omit<Schemas['ReceiptLine'], 'type'> & { type: ReceiptPart };
/** A movement as a receipt. */
export type Receipt = Omit<Schemas['Receipt'], 'lines'> & { lines: ReceiptLine[] };
/** The lines of a receipt are about what `ReceiptPart` lists; the document calls them texts. */
export const asReceipt = (receipt: Schemas['Receipt']) => receipt as Receipt;
/** One's own referral code, what it gives to whom, and what came of it. */
export type Referral = Schemas['ReferralView'];
/** Whether cards are taken, and what the provider's library needs. */
export type CardConfig = Schemas['StripeConfig'];
/** A way to pay at the card provider: a card or a wallet, and how much. */
export type WalletOffer = CardConfig['methods'][number];
/** What our own server knows of a payment. */
export type CardPayment = Schemas['PaymentStatus'];

/** What of the balance can go back to the cards it came from, and what did. */
export type Refunds = Schemas['Refunds'];
/** A payment that some of it would go back to. */
export type RefundablePayment = Schemas['RefundablePayment'];
/** A refund, and where it stands. */
export type Refund = Schemas['RefundView'];

/** Movements of a filter, newest first: from the newest, or from where the page before ended. */
export function readMovements({ kind, from, to }: MovementFilter, limit: number, before?: string): Promise<MovementPage> {
  const query = { kind, from: from && dayStart(from), to: to && dayEnd(to), limit, before };
  return answer(client.GET('/users/ledger', { params: { query } }));
}
