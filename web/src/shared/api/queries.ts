import { QueryClient, queryOptions } from '@tanstack/react-query';
import { whereBilled } from './billing.ts';
import { answer, client } from './client.ts';
import { hasCode } from './errors.ts';
import { type PriceQuestion, priceOrEstimate } from './pricing.ts';
import { FIRST_PAGE, type ListView, taskPage } from './taskList.ts';
import { readTask } from './tasks.ts';

const MINUTE_MS = 60_000;

/** Age until which a page uses prefetched data (app/prefetch.ts) without a new request. */
export const JUST_READ_MS = 10_000;

/**
 * Cache of server data. Data is stale after 5 minutes and deleted after 10. A failed query is
 * retried once.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5 * MINUTE_MS, gcTime: 10 * MINUTE_MS, retry: 1 },
    // A change fails at once without a network. Otherwise it would be sent later, when the user no
    // longer expects it.
    mutations: { networkMode: 'always' },
  },
});

/** Retries a failed query once, unless the object does not exist. The page reports that at once. */
export const retryUnlessMissing = (failures: number, error: Error) =>
  failures < 1 && !hasCode(error, 'NOT_FOUND', 'VALIDATION_FAILED');

/** Queries that several features share. Other queries are in the `queries.ts` of their feature. */
export const queries = {
  // All keys of the task list begin with 'tasks'. Live updates change every cached page of the
  // list.
  tasks: (view: ListView = FIRST_PAGE) =>
    queryOptions({
      queryKey: ['tasks', view.filter, view.order, view.page],
      queryFn: () => taskPage(view),
      refetchInterval: 30_000,
    }),
  task: (id: string) => queryOptions({ queryKey: ['task', id], queryFn: () => readTask(id), retry: retryUnlessMissing }),
  credit: () =>
    queryOptions({
      ...whereBilled,
      queryKey: ['credit'],
      queryFn: () => answer(client.GET('/users/credit')),
      refetchInterval: 30_000,
    }),
  // `priceOrEstimate` already tries three requests. A retry would only make users wait.
  pricing: (question: PriceQuestion = {}) =>
    queryOptions({ ...whereBilled, queryKey: ['pricing', question], queryFn: () => priceOrEstimate(question), retry: false }),
  profile: () =>
    queryOptions({
      queryKey: ['profile'],
      queryFn: () => answer(client.GET('/user/profile')).then(({ user }) => user),
    }),
  portalAccounts: () =>
    queryOptions({
      queryKey: ['portalAccounts'],
      queryFn: () => answer(client.GET('/user/credentials')).then(({ credentials }) => credentials),
      staleTime: 30_000,
    }),
  // Refunds are requested again while one is pending and a page shows them.
  refunds: () =>
    queryOptions({
      ...whereBilled,
      queryKey: ['refunds'],
      queryFn: () => answer(client.GET('/payment/refunds')),
      staleTime: 30_000,
      // Most refunds complete within a minute. A refund to a wallet may take days.
      refetchInterval: ({ state: { data, dataUpdateCount } }) =>
        data && data.under_way > 0 ? (dataUpdateCount < 12 ? 10_000 : 5 * MINUTE_MS) : false,
    }),
  stats: () => queryOptions({ queryKey: ['stats'], queryFn: () => answer(client.GET('/stats')), refetchInterval: 30_000 }),
  status: () =>
    queryOptions({
      queryKey: ['status'],
      queryFn: () => answer(client.GET('/status')),
      refetchInterval: MINUTE_MS,
      staleTime: 30_000,
    }),
  facilities: () =>
    queryOptions({
      queryKey: ['facilities'],
      queryFn: () => answer(client.GET('/facilities')),
      staleTime: 60 * MINUTE_MS,
    }),
};

/** Reloads all data that a movement of money changes. */
export function refreshMoney(): void {
  for (const name of ['credit', 'ledger', 'profile', 'refunds']) void queryClient.invalidateQueries({ queryKey: [name] });
}
