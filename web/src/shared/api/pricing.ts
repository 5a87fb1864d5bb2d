import { answer, client } from './client.ts';
import type { CodeAnswer, DiscountLine, PriceAnswer, PriceQuestion, TaskPrice } from './money.ts';

export type { PriceQuestion } from './money.ts';

/** Estimated unit price if every price request fails. */
const FALLBACK_UNIT_PRICE = 5;
const FALLBACK_CURRENCY = 'CAD';

/** Error message that the specification requires if every price request fails. */
export const ALL_FAILED = 'All pricing endpoints failed';

/** Price as the screens show it. If `estimate` is true, it is only a guess and is never charged. */
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
  /** Total of all requested tasks, or null if the response has no tasks. */
  total: number | null;
  estimate: boolean;
}

const bare = { discount_lines: [], promo: null, referral: null, tasks: null, total: null, estimate: false };

function viewOf(price: PriceAnswer): PriceView {
  const { unit_price, original_price, discount_amount, currency } = price;
  // A response without tasks contains the price of one applicant, which is not a total.
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
 * Returns the price from the first of three requests that succeeds. Throws `ALL_FAILED` if none
 * succeeds. Only the first request supports codes. With codes its failure is final, because the
 * other requests would return the full price.
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
      // Try the next request.
    }
  }
  throw new Error(ALL_FAILED);
}

/**
 * Returns the price like `askPrice`. If every request fails, it returns an estimate of 5 CAD. With
 * codes it throws instead.
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

/**
 * Returns the total for `applicants`. Uses the server's total if there is one, else multiplies the
 * unit price.
 */
export function totalOf(price: PriceView, applicants: number): number {
  return price.total ?? cents(price.unit_price * applicants);
}

/**
 * Returns the total that the user accepts, which the server compares with its own. Returns
 * undefined for an estimate.
 */
export function expectedTotal(price: PriceView | undefined, applicants: number): number | undefined {
  return price && !price.estimate ? totalOf(price, applicants) : undefined;
}

/**
 * Returns how many tasks of one applicant the available balance covers, or null if tasks are free.
 */
export function tasksAffordable(available: number, unitPrice: number): number | null {
  return unitPrice > 0 ? Math.max(0, Math.floor(cents(available) / unitPrice + 1e-9)) : null;
}

/** Price of one task as a line of a total. Fields that the response lacks are omitted. */
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

/** Total with its lines, as shown in a preview and after a submission. */
export interface Cost {
  total_amount: number;
  currency: string;
  applicants_count: number;
  schedule_breakdown: CostLine[];
}

/**
 * Returns the total for these tasks, with one line per task. Uses the server's line of a task if
 * there is one.
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

/** Payload of a 402 response: the required and the available amount. */
export interface Shortage {
  required_amount: number;
  available_amount: number;
  currency: string;
}

/** Returns the recommended top-up for a missing amount, at least 50. */
export function recommendedTopUp(shortage: number): number {
  return Math.max(50, Math.ceil(shortage * 100) / 100);
}
