import type { FetchQueryOptions, QueryKey } from '@tanstack/react-query';
import { viewAt } from '../features/dashboard/useListView.ts';
import { filterAt, PAGE_SIZE } from '../features/money/movementFilter.ts';
import { ledgerQueries } from '../features/money/queries.ts';
import { settingsQueries } from '../features/settings/queries.ts';
import { detailQueries, HEAT_SPAN } from '../features/task/queries.ts';
import { wizardQueries } from '../features/wizard/queries.ts';
import { channelQueries } from '../parts/channels/queries.ts';
import { billingStore } from '../shared/api/billing.ts';
import { JUST_READ_MS, queries, queryClient } from '../shared/api/queries.ts';
import type { AppPageName } from './pages.ts';

interface Address {
  params: { id?: string };
  search: URLSearchParams;
}

/**
 * Requests data into the cache, unless it is cached. Failures are ignored, because the page
 * requests the data again.
 */
function request<Data, Failure, Shown, Key extends QueryKey>(query: FetchQueryOptions<Data, Failure, Shown, Key>): Promise<void> {
  return queryClient.prefetchQuery(query);
}

/** Requests data about money, if the server charges for bookings. */
const requestMoney: typeof request = (query) => (billingStore.get() ? request(query) : Promise.resolve());

/** Requests the data of the page's frame. */
const requestFrame = () => [requestMoney(queries.credit()), request(queries.status())];

const channels = () => request(channelQueries.all());
const visaAccounts = () => request({ ...queries.portalAccounts(), staleTime: JUST_READ_MS });
const secondFactor = () => request(settingsQueries.secondFactor());
const signIns = () => request({ ...settingsQueries.signIns(), staleTime: JUST_READ_MS });

const requestTask = (id: string) => request({ ...queries.task(id), staleTime: JUST_READ_MS });

/**
 * Requests the data that each page shows first, in order of importance, while the page's code
 * loads. If the document has sent such requests early (`first` in pages.ts), the promise resolves
 * after their responses are read.
 */
export const prefetch: Partial<Record<AppPageName, (at: Address) => Promise<unknown> | undefined>> = {
  dashboard: ({ search }) => {
    const first = [
      request(queries.tasks(viewAt(search))),
      requestMoney(queries.credit()),
      request(queries.status()),
      request(queries.facilities()),
    ];
    request(queries.stats());
    requestMoney(queries.pricing());
    return Promise.all(first);
  },
  task: ({ params: { id = '' } }) => {
    const first = [
      requestTask(id),
      request(detailQueries.calendar(id, HEAT_SPAN)),
      queryClient.prefetchInfiniteQuery(detailQueries.journal(id)),
      request(queries.status()),
      request(queries.facilities()),
    ];
    void queryClient.prefetchInfiniteQuery(detailQueries.seen(id));
    requestMoney(queries.credit());
    request(queries.portalAccounts());
    request(queries.profile());
    return Promise.all(first);
  },
  bookingReceipt: ({ params: { id = '' } }) => void requestTask(id),
  edit: ({ params: { id = '' } }) => {
    requestTask(id);
    request(queries.facilities());
  },
  wizard: () => {
    const first = [requestMoney(queries.credit()), request(queries.facilities()), request(queries.status())];
    request(wizardQueries.ownTasks());
    return Promise.all(first);
  },
  movements: ({ search }) => {
    void queryClient.prefetchInfiniteQuery(ledgerQueries.movements(filterAt(search), PAGE_SIZE));
    requestMoney(queries.credit());
  },
  receipt: ({ params: { id = '' } }) => void request(ledgerQueries.receipt(id)),
  settings: () => {
    const first = [request(queries.profile()), ...requestFrame()];
    for (const data of [channels, visaAccounts, secondFactor, signIns]) void data();
    requestMoney(settingsQueries.referral());
    return Promise.all(first);
  },
  settingsNotifications: () => Promise.all([channels(), ...requestFrame()]),
  settingsVisaAccounts: () => Promise.all([visaAccounts(), ...requestFrame()]),
  settingsAccount: () => Promise.all([request(queries.profile()), ...requestFrame()]),
  settingsSecurity: () => Promise.all([request(queries.profile()), secondFactor(), ...requestFrame()]),
  settingsDevices: () =>
    Promise.all([signIns(), request({ ...settingsQueries.activity(), staleTime: JUST_READ_MS }), ...requestFrame()]),
  settingsData: () => Promise.all([request(settingsQueries.deletion()), ...requestFrame()]),
  settingsReferral: () => Promise.all([requestMoney(settingsQueries.referral()), ...requestFrame()]),
};
