import { queryOptions } from '@tanstack/react-query';
import { api, type PortalCredentials, SHOWN_STATUSES } from './calls.ts';
import { request, requestFile } from './client.ts';
import { ApiError } from './errors.ts';
import type { Verification, VerifyProgress } from './types.ts';

/** As many of one's tasks as the wizard compares with what it read at the portal. */
const OWN_TASKS = 100;
const TEST_TASKS = 10;
const POLL_MS = 700;
/** So many answers "no such verification" in a row mean that this server does not tell; the first ones only mean "not yet". */
const UNKNOWN_LIMIT = 5;

/** The wizard's and the test page's own calls. */
export const wizardApi = {
  verify: (credentials: PortalCredentials, forceRefresh: boolean, progressId: string) =>
    request<Verification>('POST', '/schedules/verify-credentials', {
      body: { ...credentials, force_refresh: forceRefresh, progress_id: progressId },
    }),
  progress: (progressId: string) => request<VerifyProgress>('GET', `/schedules/verify-credentials/${progressId}`),
  /** The list's answer as it came, whatever it is. */
  rawTasks: async (): Promise<{ status: number; text: string; ms: number }> => {
    const began = performance.now();
    const query = { page: 1, page_size: TEST_TASKS };
    try {
      const response = await requestFile('GET', '/schedules', { query });
      return { status: response.status, text: await response.text(), ms: performance.now() - began };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message, data } = error;
      const text = JSON.stringify({ success: false, data, error: { code, message } });
      return { status: error.status, text, ms: performance.now() - began };
    }
  },
};

export const wizardQueries = {
  /** One's own tasks, so that what is monitored since the portal was read is not offered again. */
  ownTasks: () =>
    queryOptions({
      queryKey: ['tasks', 'wizard'],
      queryFn: () => api.tasks(1, OWN_TASKS, SHOWN_STATUSES),
      select: (page) => page.schedules,
    }),
  /** Asked while the verification runs; a server that knows nothing of it is left alone after a few tries. */
  progress: (progressId: string) =>
    queryOptions({
      queryKey: ['verifyProgress', progressId],
      queryFn: () => wizardApi.progress(progressId),
      retry: false,
      staleTime: 0,
      gcTime: 0,
      refetchInterval: (query) => (!query.state.data && query.state.errorUpdateCount >= UNKNOWN_LIMIT ? false : POLL_MS),
    }),
  rawTasks: () => queryOptions({ queryKey: ['rawTasks'], queryFn: wizardApi.rawTasks, staleTime: 0, retry: false }),
};
