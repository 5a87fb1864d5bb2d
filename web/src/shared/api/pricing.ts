import { answer, client } from './client.ts';
import type { CodeAnswer, DiscountLine, PriceAnswer, PriceQuestion, TaskPrice } from './money.ts';

export type { PriceQuestion } from './money.ts';

/** What is paid per unit where nobody can say the price. */
const FALLBACK_UNIT_PRICE = 5;
const FALLBACK_CURRENCY = 'CAD';

/** The spec's name for the end of the chain. */
export const ALL_FAILED = 'All pricing endpoints failed';

/** A price as the screens show it. An estimate is only our guess: it never sets a charge. */
interface PriceView {
  unit_price: number;
  original_price: number;
  discount_amount: number;
  currency: string;
  discount_lines: DiscountLine[];
  promo: CodeAnswer | null;
  referral: CodeAnswer | null;
  /** One line per task asked for; null where the link that answered knows nothing of tasks. */
  tasks: TaskPrice[] | null;
  /** Of all tasks asked for, null likewise. */
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

/** Whether a price is asked for with codes. */
const hasCodes = ({ promo_code, referral_code }: PriceQuestion) => Boolean(promo_code || referral_code);

/**
 * The price by the first call of the spec's chain that answers; throws `ALL_FAILED` when none does. Of codes only the first call knows:
 * where it fails, so does the question, because the others would answer with the full price.
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
      // The next link of the chain answers.
    }
  }
  throw new Error(ALL_FAILED);
}

/** The same, ending with 5 CAD marked as an estimate; codes that could not be checked are an error. */
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

/** Money is whole cents. */
export const cents = (value: number) => Math.round(value * 100) / 100;

/** What a price makes for so many applicants: as the server adds it up, else unit by unit. */
export function totalOf(price: PriceView, applicants: number): number {
  return price.total ?? cents(price.unit_price * applicants);
}

/** The sum to agree to, as the server is told it; an estimate is never told. */
export function expectedTotal(price: PriceView | undefined, applicants: number): number | undefined {
  return price && !price.estimate ? totalOf(price, applicants) : undefined;
}

/** Whole tasks of one applicant the balance covers; null where they cost nothing. */
export function tasksAffordable(available: number, unitPrice: number): number | null {
  return unitPrice > 0 ? Math.max(0, Math.floor(cents(available) / unitPrice + 1e-9)) : null;
}

/** The price of one task within a sum; the parts an older answer does not carry are left out. */
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

/** A sum with its parts, as a submit answers it and as a preview is shown. */
export interface Cost {
  total_amount: number;
  currency: string;
  applicants_count: number;
  schedule_breakdown: CostLine[];
}

/** The sum a price makes for tasks of so many applicants each: the server's own lines where it sent them. */
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

/** What a 402 carries. */
export interface Shortage {
  required_amount: number;
  available_amount: number;
  currency: string;
}

/** What to top up for a shortage: at least 50. */
export function recommendedTopUp(shortage: number): number {
  return Math.max(50, Math.ceil(shortage * 100) / 100);
}
