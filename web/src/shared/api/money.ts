import { dayEnd, dayStart } from '../format/zoneDay.ts';
import { request } from './client.ts';
import type { Schemas, Task, Wire } from './types.ts';

/** Where a part of a discount comes from. */
export type DiscountType = Schemas['DiscountType'];
/** An amount off the unit price, and why. */
export type DiscountLine = Wire<Schemas['DiscountLine']>;
/** What became of a promo or referral code. */
export type CodeStatus = Schemas['CodeStatus'];
/** A code as it was asked for, what became of it and what it takes off the unit price. */
export type CodeAnswer = Wire<Schemas['CodeOutcome']>;
/** The price of one task. */
export type TaskPrice = Wire<Schemas['SchedulePrice']>;
/** What the price is asked for. */
export type PriceQuestion = Pick<Schemas['PriceRequest'], 'schedule_ids'> & { promo_code?: string; referral_code?: string };

type Price = Wire<Schemas['Price']>;
type Unasked = 'discount_lines' | 'promo' | 'referral' | 'schedule_pricing';
/** The answer of both calculate calls; the GET one knows neither codes nor tasks. */
export type PriceAnswer = Omit<Price, 'calculation' | Unasked> & Partial<Pick<Price, Unasked>>;

/** The kinds of movements there are. */
export type MovementKind = Schemas['MovementKind'];
/** One movement: what it did to the available balance and to what is on hold, and both after it. */
export type Movement = Wire<Schemas['MovementView']>;
/** Movements, newest first, and where the next page begins. */
export type MovementPage = Wire<Schemas['Ledger']>;

/** Which movements; days are civil ones of the display zone, both included. */
export interface MovementFilter {
  kind?: MovementKind;
  from?: string;
  to?: string;
}

/** What a line of a receipt is about: a part of the price per person, people who had paid before, or the movement itself. */
export type ReceiptPart = 'base' | 'entitled' | DiscountType | MovementKind;
/** A line of a receipt: so many at so much; what is taken off is below zero. */
export type ReceiptLine = Omit<Wire<Schemas['ReceiptLine']>, 'type'> & { type: ReceiptPart };
/** A movement as a receipt. */
export type Receipt = Omit<Wire<Schemas['Receipt']>, 'lines'> & { lines: ReceiptLine[] };
/** One's own referral code, what it gives to whom, and what came of it. */
export type Referral = Wire<Schemas['ReferralView']>;
/** Whether cards are taken, and what the provider's library needs. */
export type CardConfig = Wire<Schemas['StripeConfig']>;
/** A payment begun at the card provider. */
export type CardIntent = Wire<Schemas['PreparedIntent']>;
/** What our own server knows of a payment. */
export type CardPayment = Wire<Schemas['PaymentStatus']>;

/** The calls about money that are more than reading the balance and using a code. */
export const money = {
  calculate: (body: PriceQuestion) => request<PriceAnswer>('POST', '/pricing/calculate', { body }),
  readPrice: () => request<PriceAnswer>('GET', '/pricing/calculate'),
  plans: () => request<{ plans: { id: string; unit_price: number; currency: string }[] }>('GET', '/pricing/plans'),

  movements: (filter: MovementFilter, limit: number, before?: string) =>
    request<MovementPage>('GET', '/users/ledger', {
      query: { kind: filter.kind, from: filter.from && dayStart(filter.from), to: filter.to && dayEnd(filter.to), limit, before },
    }),
  receipt: (id: string) => request<Receipt>('GET', `/users/ledger/${id}`),
  referral: () => request<Referral>('GET', '/users/referral'),

  acceptGroup: (id: string, expected_total: number | undefined, idempotencyKey: string) =>
    request<{ schedule: Task }>('POST', `/schedules/${id}/accept-group`, { body: { expected_total }, idempotencyKey }),

  cardConfig: () => request<CardConfig>('GET', '/payment/stripe/config'),
  createIntent: (
    body: { amount: number; currency: string; description?: string; metadata: { source: string; language: string } },
    idempotencyKey: string,
  ) => request<CardIntent>('POST', '/payment/stripe/create-intent', { body, idempotencyKey }),
  cardPayment: (id: string) => request<CardPayment>('GET', `/payment/stripe/status/${id}`),
};
