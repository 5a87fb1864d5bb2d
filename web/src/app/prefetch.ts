import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { viewAt } from '../features/dashboard/useListView.ts';
import { filterAt, PAGE_SIZE } from '../features/money/movementFilter.ts';
import { ledgerQueries } from '../features/money/queries.ts';
import { settingsQueries } from '../features/settings/queries.ts';
import { detailQueries, HEAT_SPAN } from '../features/task/queries.ts';
import { wizardQueries } from '../features/wizard/queries.ts';
import { balanceQueries, LAST_MOVEMENTS } from '../parts/balance/queries.ts';
import { billingStore } from '../shared/api/billing.ts';
import { JUST_READ_MS, queries, queryClient } from '../shared/api/queries.ts';
import type { AppPageName } from './pages.ts';

interface Address {
  params: { id?: string };
  search: URLSearchParams;
}

/**
 * Requests data that is not cached yet. It ignores failures, because the page requests the data
 * again and shows them.
 */
function ask<Data, Failure, Shown, Key extends QueryKey>(query: FetchQueryOptions<Data, Failure, Shown, Key>): Promise<void> {
  return queryClient.prefetchQuery(query);
}

/** Requests data about money if the server charges money. */
const askMoney: typeof ask = (query) => (billingStore.get() ? ask(query) : Promise.resolve());

const askTask = (id: string) => ask({ ...queries.task(id), staleTime: JUST_READ_MS });

/**
 * Requests the data that each page shows first, in reading order, while the page's code loads. If
 * the document has sent some requests early (`first` of pages.ts), the promise resolves when their
 * responses are read.
 */
export const prefetch: Partial<Record<AppPageName, (at: Address) => Promise<unknown> | undefined>> = {
  dashboard: ({ search }) => {
    const first = [
      ask(queries.tasks(viewAt(search))),
      askMoney(queries.credit()),
      ask(queries.status()),
      ask(queries.facilities()),
    ];
    ask(queries.stats());
    askMoney(queries.pricing());
    askMoney(balanceQueries.lastMovements(LAST_MOVEMENTS));
    return Promise.all(first);
  },
  task: ({ params: { id = '' } }) => {
    const first = [
      askTask(id),
      ask(detailQueries.calendar(id, HEAT_SPAN)),
      queryClient.prefetchInfiniteQuery(detailQueries.journal(id)),
      ask(queries.status()),
      ask(queries.facilities()),
    ];
    void queryClient.prefetchInfiniteQuery(detailQueries.seen(id));
    askMoney(queries.credit());
    ask(queries.portalAccounts());
    ask(queries.profile());
    return Promise.all(first);
  },
  bookingReceipt: ({ params: { id = '' } }) => void askTask(id),
  edit: ({ params: { id = '' } }) => {
    askTask(id);
    ask(queries.facilities());
  },
  wizard: () => {
    const first = [askMoney(queries.credit()), ask(queries.facilities()), ask(queries.status())];
    ask(wizardQueries.ownTasks());
    return Promise.all(first);
  },
  movements: ({ search }) => {
    void queryClient.prefetchInfiniteQuery(ledgerQueries.movements(filterAt(search), PAGE_SIZE));
    askMoney(queries.credit());
  },
  receipt: ({ params: { id = '' } }) => void ask(ledgerQueries.receipt(id)),
  settings: () => {
    const first = [ask(queries.profile()), askMoney(queries.credit()), ask(queries.status())];
    ask({ ...queries.portalAccounts(), staleTime: JUST_READ_MS });
    ask(settingsQueries.secondFactor());
    ask({ ...settingsQueries.signIns(), staleTime: JUST_READ_MS });
    askMoney(settingsQueries.referral());
    return Promise.all(first);
  },
};
