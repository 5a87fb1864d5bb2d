import { QueryClient, queryOptions } from '@tanstack/react-query';
import { whereBilled } from './billing.ts';
import { answer, client } from './client.ts';
import { hasCode } from './errors.ts';
import { type PriceQuestion, priceOrEstimate } from './pricing.ts';
import { FIRST_PAGE, type ListView, taskPage } from './taskList.ts';
import { readTask } from './tasks.ts';

const MINUTE_MS = 60_000;

/** What the way to a page has just asked for (app/prefetch.ts) is not asked for again when the page is drawn. */
export const JUST_READ_MS = 10_000;

/** Server state: stale after 5 minutes, kept 10, one retry. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5 * MINUTE_MS, gcTime: 10 * MINUTE_MS, retry: 1 },
    // Offline a change fails at once and says so; kept back, it would be made later, when nobody expects it any more.
    mutations: { networkMode: 'always' },
  },
});

/** What is not there is not asked for twice: the page says so at once. */
export const retryUnlessMissing = (failures: number, error: Error) =>
  failures < 1 && !hasCode(error, 'NOT_FOUND', 'VALIDATION_FAILED');

/** The queries that several features show. A feature's own are in its `queries.ts`. */
export const queries = {
  // All keys of the list begin with 'tasks': what comes live is put into every page of it.
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
  // The chain asks three times by itself: a second round would only make people wait.
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
  // What is on its way is looked after while somebody waits for it.
  refunds: () =>
    queryOptions({
      ...whereBilled,
      queryKey: ['refunds'],
      queryFn: () => answer(client.GET('/payment/refunds')),
      staleTime: 30_000,
      // Most are through in a minute; a wallet's may take days.
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

/** Reads again what a movement of money changes. */
export function refreshMoney(): void {
  for (const name of ['credit', 'ledger', 'profile', 'refunds']) void queryClient.invalidateQueries({ queryKey: [name] });
}
