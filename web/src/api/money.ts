import { dayEnd, dayStart } from '../lib/zoneDay.ts';
import { request } from './client.ts';
import type { Task } from './types.ts';

/** Where a part of a discount comes from. */
export type DiscountType = 'personal' | 'group' | 'promo' | 'referral';

/** An amount off the unit price, and why. */
export interface DiscountLine {
  type: DiscountType;
  amount: number;
}

/** What became of a promo or referral code. */
export type CodeStatus =
  | 'applied'
  | 'unknown'
  | 'not_yet'
  | 'expired'
  | 'used_up'
  | 'used_by_you'
  | 'not_yours'
  | 'own_code'
  | 'not_first'
  | 'nothing_left';

/** A code as it was asked for, what became of it and what it takes off the unit price. */
export interface CodeAnswer {
  code: string;
  status: CodeStatus;
  amount: number;
}

/** The price of one task. */
export interface TaskPrice {
  schedule_id: string;
  applicants_count: number;
  /** Those of them who have paid within the last year and pay nothing. */
  entitled_applicants: number;
  base_price: number;
  discounts: number;
  discount_lines: DiscountLine[];
  final_price_per_person: number;
  total_price: number;
}

/** What the price is asked for. */
export interface PriceQuestion {
  promo_code?: string;
  referral_code?: string;
  schedule_ids?: string[];
}

/** The answer of both calculate calls; the GET one knows neither codes nor tasks. */
export interface PriceAnswer {
  unit_price: number;
  original_price: number;
  discount_amount: number;
  total_price: number;
  currency: string;
  discount_lines?: DiscountLine[];
  promo?: CodeAnswer | null;
  referral?: CodeAnswer | null;
  /** Empty where no tasks were asked for. */
  schedule_pricing?: TaskPrice[];
}

/** The kinds of movements there are. */
export type MovementKind =
  | 'topup'
  | 'card'
  | 'bonus'
  | 'hold'
  | 'capture'
  | 'release'
  | 'refund'
  | 'dispute'
  | 'debt'
  | 'void'
  | 'forfeit'
  | 'reinstate'
  | 'adjust';

/** One movement: what it did to the available balance and to what is on hold, and both after it. */
export interface Movement {
  id: string;
  at: string;
  kind: MovementKind;
  amount: number;
  held_change: number;
  balance_after: number;
  held_after: number;
  currency: string;
  task: { id: string; label: string } | null;
  code_tail: string | null;
  note: string | null;
}

/** Movements, newest first, and where the next page begins. */
export interface MovementPage {
  movements: Movement[];
  next: string | null;
}

/** Which movements; days are civil ones of the display zone, both included. */
export interface MovementFilter {
  kind?: MovementKind;
  from?: string;
  to?: string;
}

/** What a line of a receipt is about: a part of the price per person, people who had paid before, or the movement itself. */
export type ReceiptPart = 'base' | 'entitled' | DiscountType | MovementKind;

/** A line of a receipt: so many at so much; what is taken off is below zero. */
export interface ReceiptLine {
  type: ReceiptPart;
  count: number;
  unit_amount: number;
  amount: number;
}

/** A movement as a receipt. */
export interface Receipt extends Movement {
  lines: ReceiptLine[];
  /** What was moved, always positive. */
  total: number;
  number: string;
  issued_at: string;
  to: string;
}

/** One's own referral code, what it gives to whom, and what came of it. */
export interface Referral {
  code: string;
  newcomer_discount: number;
  referrer_bonus: number;
  currency: string;
  invited: number;
  credited: number;
  /** All bonuses so far. */
  credited_amount: number;
  waiting: number;
}

/** Whether cards are taken, and what the provider's library needs. */
export interface CardConfig {
  enabled: boolean;
  publishable_key: string | null;
  min_amount: number;
  max_amount: number;
  default_currency: string;
  js_url: string | null;
}

/** A payment begun at the card provider. */
export interface CardIntent {
  client_secret: string;
  payment_intent_id: string;
}

/** What our own server knows of a payment. */
export interface CardPayment {
  status: string;
  amount: number;
  currency: string;
  credited: boolean;
}

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
