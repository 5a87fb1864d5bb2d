import { QueryClient, queryOptions } from '@tanstack/react-query';
import { account } from './account.ts';
import { api } from './calls.ts';
import { hasCode } from './errors.ts';
import type { Pricing } from './types.ts';

const MINUTE_MS = 60_000;

/** Server state: stale after 5 minutes, kept 10, one retry. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { staleTime: 5 * MINUTE_MS, gcTime: 10 * MINUTE_MS, retry: 1 } },
});

/** A price with the note that it is only the client's guess; a guess never sets a charge. */
export type PriceView = Pick<Pricing, 'unit_price' | 'original_price' | 'discount_amount' | 'currency'> & { estimate: boolean };

const FALLBACK_UNIT_PRICE = 5;

/** The spec's chain: POST, then GET, then the first plan, then 5 CAD marked as an estimate. */
async function price(): Promise<PriceView> {
  for (const call of [api.calculatePrice, api.readPrice]) {
    try {
      const found = await call();
      return {
        unit_price: found.unit_price,
        original_price: found.original_price,
        discount_amount: found.discount_amount,
        currency: found.currency,
        estimate: false,
      };
    } catch {
      // The next link of the chain answers.
    }
  }
  try {
    const plan = (await api.plans()).plans[0];
    if (plan)
      return {
        unit_price: plan.unit_price,
        original_price: plan.unit_price,
        discount_amount: 0,
        currency: plan.currency,
        estimate: false,
      };
  } catch {
    // All pricing endpoints failed: the estimate below says so.
  }
  return {
    unit_price: FALLBACK_UNIT_PRICE,
    original_price: FALLBACK_UNIT_PRICE,
    discount_amount: 0,
    currency: 'CAD',
    estimate: true,
  };
}

/** The queries of the app by name. */
export const queries = {
  tasks: () => queryOptions({ queryKey: ['tasks'], queryFn: () => api.tasks(), refetchInterval: 30_000 }),
  // A task that is not there is not asked for twice: the page says so at once.
  task: (id: string) =>
    queryOptions({
      queryKey: ['task', id],
      queryFn: () => api.task(id),
      retry: (failures, error) => failures < 1 && !hasCode(error, 'NOT_FOUND', 'VALIDATION_FAILED'),
    }),
  credit: () => queryOptions({ queryKey: ['credit'], queryFn: api.credit, refetchInterval: 30_000 }),
  ledger: (pageSize: number) => queryOptions({ queryKey: ['ledger', pageSize], queryFn: () => api.ledger(1, pageSize) }),
  pricing: () => queryOptions({ queryKey: ['pricing'], queryFn: price }),
  support: () => queryOptions({ queryKey: ['support'], queryFn: api.support }),
  profile: () => queryOptions({ queryKey: ['profile'], queryFn: api.profile }),
  signIns: () => queryOptions({ queryKey: ['signIns'], queryFn: account.signIns, staleTime: 30_000 }),
  secondFactor: () => queryOptions({ queryKey: ['secondFactor'], queryFn: account.secondFactor }),
  portalAccounts: () => queryOptions({ queryKey: ['portalAccounts'], queryFn: account.portalAccounts, staleTime: 30_000 }),
  deletion: () => queryOptions({ queryKey: ['deletion'], queryFn: account.deletion, staleTime: 0 }),
  stats: () => queryOptions({ queryKey: ['stats'], queryFn: api.stats, refetchInterval: 30_000 }),
  status: () => queryOptions({ queryKey: ['status'], queryFn: api.status, refetchInterval: MINUTE_MS, staleTime: 30_000 }),
  facilities: () => queryOptions({ queryKey: ['facilities'], queryFn: api.facilities, staleTime: 60 * MINUTE_MS }),
};
