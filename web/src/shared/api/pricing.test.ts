// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fail, ok } from '../../../mock/api.ts';
import { answerCalls } from '../../../mock/wire.ts';
import { ALL_FAILED, askPrice, costOf, expectedTotal, priceOrEstimate, tasksAffordable, totalOf } from './pricing.ts';

const calculated = {
  unit_price: 33,
  original_price: 48,
  discount_amount: 15,
  total_price: 99,
  currency: 'CAD',
  discount_lines: [
    { type: 'personal', amount: 10 },
    { type: 'promo', amount: 5 },
  ],
  promo: { code: 'MAPLE5', status: 'applied', amount: 5 },
  referral: null,
};
const line = {
  schedule_id: 'a',
  applicants_count: 2,
  entitled_applicants: 1,
  base_price: 48,
  discounts: 14.9,
  discount_lines: [],
  final_price_per_person: 33.1,
  total_price: 33.1,
  currency: 'CAD',
};
const plans = { plans: [{ id: 'p1', unit_price: 48, currency: 'CAD' }] };

/** Simulates a server that answers only the requests in `answers`. */
function server(answers: Record<string, unknown>) {
  const asked: string[] = [];
  answerCalls(({ line }) => {
    asked.push(line);
    return answers[line] ? ok(answers[line]) : fail(500, 'INTERNAL', '');
  });
  return asked;
}

const POST = 'POST /pricing/calculate';
const GET = 'GET /pricing/calculate';
const PLANS = 'GET /pricing/plans';

afterEach(() => vi.unstubAllGlobals());

describe('the chain of price requests', () => {
  // spec: 7.2.05
  it('calculates by POST, with the codes and tasks', async () => {
    const asked = server({ [POST]: { ...calculated, schedule_pricing: [line] }, [GET]: calculated, [PLANS]: plans });
    const price = await askPrice({ promo_code: 'MAPLE5', schedule_ids: ['a'] });
    expect(asked).toEqual([POST]);
    expect(price).toMatchObject({ unit_price: 33, total: 99, estimate: false, promo: { status: 'applied' } });
  });

  // spec: 7.2.05
  it('falls back to GET, then to the first plan', async () => {
    const asked = server({ [GET]: { ...calculated, total_price: 33, schedule_pricing: [] } });
    expect(await askPrice({})).toMatchObject({ unit_price: 33, total: null, tasks: null });
    expect(asked).toEqual([POST, GET]);
    asked.length = 0;
    server({ [PLANS]: plans });
    expect(await askPrice({})).toMatchObject({ unit_price: 48, original_price: 48, discount_amount: 0 });
  });

  it('fails if codes could not be checked, because a price without them would be wrong', async () => {
    const asked = server({ [GET]: calculated, [PLANS]: plans });
    await expect(priceOrEstimate({ promo_code: 'MAPLE5' })).rejects.toThrow();
    await expect(priceOrEstimate({ referral_code: 'FRIEND7', schedule_ids: ['a'] })).rejects.toThrow();
    expect(asked).toEqual([POST, POST]);
  });

  // spec: 1.23, 7.2.05, 8.2.25, 9.10
  it.each([
    ['nothing answers', {}],
    ['there is no plan', { [PLANS]: { plans: [] } }],
  ])("ends with 'All pricing endpoints failed' and 5 CAD as an estimate that sets no charge: %s", async (_, answers) => {
    const asked = server(answers);
    await expect(askPrice({})).rejects.toThrow('All pricing endpoints failed');
    expect(ALL_FAILED).toBe('All pricing endpoints failed');
    expect(asked).toEqual([POST, GET, PLANS]);
    const price = await priceOrEstimate({});
    expect(price).toMatchObject({ unit_price: 5, currency: 'CAD', estimate: true });
    expect(expectedTotal(price, 2)).toBeUndefined();
  });
});

describe('totals', () => {
  const price = {
    unit_price: 33.1,
    original_price: 48,
    discount_amount: 14.9,
    currency: 'CAD',
    discount_lines: [],
    promo: null,
    referral: null,
    tasks: null,
    total: null,
    estimate: false,
  };

  it('use whole cents, and the server’s total if there is one', () => {
    expect(totalOf(price, 3)).toBe(99.3);
    expect(totalOf({ ...price, total: 66.2 }, 3)).toBe(66.2);
    expect(expectedTotal(price, 3)).toBe(99.3);
    expect(expectedTotal(undefined, 3)).toBeUndefined();
  });

  it('use the server’s line of each task, and compute missing lines', () => {
    const cost = costOf({ ...price, tasks: [line], total: 66.2 }, [
      { id: 'a', applicants: 2 },
      { id: 'b', applicants: 1 },
    ]);
    expect(cost.schedule_breakdown).toEqual([line, expect.objectContaining({ schedule_id: 'b', total_price: 33.1 })]);
    expect(cost).toMatchObject({ total_amount: 66.2, applicants_count: 3 });
  });

  // spec: 2.8.06
  it('count whole tasks only, exactly at the boundary', () => {
    expect(tasksAffordable(75.99, 38)).toBe(1);
    expect(tasksAffordable(76, 38)).toBe(2);
    expect(tasksAffordable(0.3, 0.1)).toBe(3);
    expect(tasksAffordable(-5, 38)).toBe(0);
    expect(tasksAffordable(10, 0)).toBeNull();
  });
});
