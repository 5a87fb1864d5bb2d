import { infiniteQueryOptions, QueryClient, queryOptions } from '@tanstack/react-query';
import { account } from './account.ts';
import { api } from './calls.ts';
import { hasCode } from './errors.ts';
import { type MovementFilter, money, type PriceQuestion } from './money.ts';
import { priceOrEstimate } from './pricing.ts';
import { FIRST_PAGE, type ListView, taskPage } from './taskList.ts';

const MINUTE_MS = 60_000;

/** Server state: stale after 5 minutes, kept 10, one retry. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5 * MINUTE_MS, gcTime: 10 * MINUTE_MS, retry: 1 },
    // Offline a change fails at once and says so; kept back, it would be made later, when nobody expects it any more.
    mutations: { networkMode: 'always' },
  },
});

/** The queries of the app by name. */
export const queries = {
  // All keys of the list begin with 'tasks': what comes live is put into every page of it.
  tasks: (view: ListView = FIRST_PAGE) =>
    queryOptions({ queryKey: ['tasks', view.filter, view.page], queryFn: () => taskPage(view), refetchInterval: 30_000 }),
  // A task that is not there is not asked for twice: the page says so at once.
  task: (id: string) =>
    queryOptions({
      queryKey: ['task', id],
      queryFn: () => api.task(id),
      retry: (failures, error) => failures < 1 && !hasCode(error, 'NOT_FOUND', 'VALIDATION_FAILED'),
    }),
  credit: () => queryOptions({ queryKey: ['credit'], queryFn: api.credit, refetchInterval: 30_000 }),
  lastMovements: (limit: number) =>
    queryOptions({ queryKey: ['ledger', 'last', limit], queryFn: () => money.movements({}, limit) }),
  movements: (filter: MovementFilter, limit: number) =>
    infiniteQueryOptions({
      queryKey: ['ledger', 'pages', filter, limit],
      queryFn: ({ pageParam }) => money.movements(filter, limit, pageParam),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: (page) => page.next ?? undefined,
    }),
  receipt: (id: string) =>
    queryOptions({
      queryKey: ['ledger', 'receipt', id],
      queryFn: () => money.receipt(id),
      retry: (failures, error) => failures < 1 && !hasCode(error, 'NOT_FOUND', 'VALIDATION_FAILED'),
    }),
  // The chain asks three times by itself: a second round would only make people wait.
  pricing: (question: PriceQuestion = {}) =>
    queryOptions({ queryKey: ['pricing', question], queryFn: () => priceOrEstimate(question), retry: false }),
  referral: () => queryOptions({ queryKey: ['referral'], queryFn: money.referral }),
  cardConfig: () => queryOptions({ queryKey: ['cardConfig'], queryFn: money.cardConfig }),
  support: () => queryOptions({ queryKey: ['support'], queryFn: api.support }),
  profile: () => queryOptions({ queryKey: ['profile'], queryFn: api.profile }),
  signIns: () => queryOptions({ queryKey: ['signIns'], queryFn: account.signIns, staleTime: 30_000 }),
  secondFactor: () => queryOptions({ queryKey: ['secondFactor'], queryFn: account.secondFactor }),
  portalAccounts: () => queryOptions({ queryKey: ['portalAccounts'], queryFn: account.portalAccounts, staleTime: 30_000 }),
  deletion: () => queryOptions({ queryKey: ['deletion'], queryFn: account.deletion, staleTime: 0 }),
  stats: () => queryOptions({ queryKey: ['stats'], queryFn: api.stats, refetchInterval: 30_000 }),
  status: () => queryOptions({ queryKey: ['status'], queryFn: api.status, refetchInterval: MINUTE_MS, staleTime: 30_000 }),
  statusHistory: () => queryOptions({ queryKey: ['statusHistory'], queryFn: api.statusHistory, refetchInterval: MINUTE_MS }),
  facilities: () => queryOptions({ queryKey: ['facilities'], queryFn: api.facilities, staleTime: 60 * MINUTE_MS }),
};

/** Reads again what a movement of money changes. */
export function refreshMoney(): void {
  for (const name of ['credit', 'ledger', 'profile']) void queryClient.invalidateQueries({ queryKey: [name] });
}
