import { answer, client } from './client.ts';
import type { CodeAnswer, DiscountLine, PriceAnswer, PriceQuestion, TaskPrice } from './money.ts';

export type { PriceQuestion } from './money.ts';

/** Price per unit if no price is available. */
const FALLBACK_UNIT_PRICE = 5;
const FALLBACK_CURRENCY = 'CAD';

/** The spec's name for the end of the chain. */
export const ALL_FAILED = 'All pricing endpoints failed';

/** A price as the screens show it. An estimate is only a guess and never sets a charge. */
interface PriceView {
  unit_price: number;
  original_price: number;
  discount_amount: number;
  currency: string;
  discount_lines: DiscountLine[];
  promo: CodeAnswer | null;
  referral: CodeAnswer | null;
  /** One line per requested task, or null if the response has no tasks. */
  tasks: TaskPrice[] | null;
  /** Total of all requested tasks, or null likewise. */
  total: number | null;
  estimate: boolean;
}

const bare = { discount_lines: [], promo: null, referral: null, tasks: null, total: null, estimate: false };

function viewOf(price: PriceAnswer): PriceView {
  const { unit_price, original_price, discount_amount, currency } = price;
  // Without tasks the total is that of one applicant.
  const tasks = price.schedule_pricing?.length ? price.schedule_pricing : null;
  return {
    ...bare,
    unit_price,
    original_price,
    discount_amount,
    currency,
    discount_lines: price.discount_lines ?? [],
    promo: price.promo ?? null,
    referral: price.referral ?? null,
    tasks,
    total: tasks ? price.total_price : null,
  };
}

async function firstPlan(): Promise<PriceView> {
  const { plans } = await answer(client.GET('/pricing/plans'));
  const plan = plans[0];
  if (!plan) throw new Error(ALL_FAILED);
  const { unit_price, currency } = plan;
  return { ...bare, unit_price, original_price: unit_price, discount_amount: 0, currency };
}

/** Returns whether a price request has codes. */
const hasCodes = ({ promo_code, referral_code }: PriceQuestion) => Boolean(promo_code || referral_code);

/**
 * Returns the price from the first successful request of the spec's chain. Throws `ALL_FAILED` if
 * none succeeds. Only the first request supports codes. With codes its failure is final, because
 * the others would return the full price.
 */
export async function askPrice(question: PriceQuestion): Promise<PriceView> {
  if (hasCodes(question)) return viewOf(await answer(client.POST('/pricing/calculate', { body: question })));
  const chain = [
    () => answer(client.POST('/pricing/calculate', { body: question })).then(viewOf),
    () => answer(client.GET('/pricing/calculate')).then(viewOf),
    firstPlan,
  ];
  for (const link of chain) {
    try {
      return await link();
    } catch {
      // The next link of the chain follows.
    }
  }
  throw new Error(ALL_FAILED);
}

/**
 * Returns the same, with 5 CAD marked as an estimate as the last resort. Unchecked codes are an
 * error.
 */
export async function priceOrEstimate(question: PriceQuestion): Promise<PriceView> {
  return askPrice(question).catch((error: unknown) => {
    if (hasCodes(question)) throw error;
    return {
      ...bare,
      unit_price: FALLBACK_UNIT_PRICE,
      original_price: FALLBACK_UNIT_PRICE,
      discount_amount: 0,
      currency: FALLBACK_CURRENCY,
      estimate: true,
    };
  });
}

/** Rounds to whole cents. */
export const cents = (value: number) => Math.round(value * 100) / 100;

/** Returns the total for a number of applicants: the server's sum, else unit by unit. */
export function totalOf(price: PriceView, applicants: number): number {
  return price.total ?? cents(price.unit_price * applicants);
}

/** Returns the sum that the user accepts, for the server. An estimate is never sent. */
export function expectedTotal(price: PriceView | undefined, applicants: number): number | undefined {
  return price && !price.estimate ? totalOf(price, applicants) : undefined;
}

/** Returns how many tasks of one applicant the balance covers, or null if they are free. */
export function tasksAffordable(available: number, unitPrice: number): number | null {
  return unitPrice > 0 ? Math.max(0, Math.floor(cents(available) / unitPrice + 1e-9)) : null;
}

/** The price of one task within a sum. Parts that an older response lacks are left out. */
export interface CostLine {
  schedule_id: string;
  applicants_count: number;
  entitled_applicants?: number | null;
  base_price: number;
  discounts: number;
  discount_lines?: DiscountLine[];
  final_price_per_person: number;
  total_price: number;
}

/** A sum with its parts, as in a submit's response and in a preview. */
export interface Cost {
  total_amount: number;
  currency: string;
  applicants_count: number;
  schedule_breakdown: CostLine[];
}

/**
 * Returns the sum of a price for tasks with these numbers of applicants, from the server's own
 * lines if it sent them.
 */
export function costOf(price: PriceView, tasks: { id: string; applicants: number }[]): Cost {
  const applicants = tasks.reduce((sum, task) => sum + task.applicants, 0);
  const lines = tasks.map(
    (task): CostLine =>
      price.tasks?.find((line) => line.schedule_id === task.id) ?? {
        schedule_id: task.id,
        applicants_count: task.applicants,
        base_price: price.original_price,
        discounts: price.discount_amount,
        discount_lines: price.discount_lines,
        final_price_per_person: price.unit_price,
        total_price: cents(price.unit_price * task.applicants),
      },
  );
  return {
    total_amount: totalOf(price, applicants),
    currency: price.currency,
    applicants_count: applicants,
    schedule_breakdown: lines,
  };
}

/** Payload of a 402. */
export interface Shortage {
  required_amount: number;
  available_amount: number;
  currency: string;
}

/** Returns the recommended top-up for a shortage: at least 50. */
export function recommendedTopUp(shortage: number): number {
  return Math.max(50, Math.ceil(shortage * 100) / 100);
}
