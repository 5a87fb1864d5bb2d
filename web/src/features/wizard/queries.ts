import { queryOptions } from '@tanstack/react-query';
import { answer, client } from '../../shared/api/client.ts';
import { readTasks } from '../../shared/api/tasks.ts';

/** Number of the user's tasks that the wizard compares with the portal's data. */
const OWN_TASKS = 100;
const POLL_MS = 700;
/**
 * After this many responses "no such verification" in a row the server does not report progress.
 * The first ones only mean "not yet".
 */
const UNKNOWN_LIMIT = 5;

export const wizardQueries = {
  /**
   * Reads the user's tasks, so that an appointment monitored since the portal was read is not
   * offered again.
   */
  ownTasks: () =>
    queryOptions({
      queryKey: ['tasks', 'wizard'],
      queryFn: () => readTasks(1, OWN_TASKS),
      select: (page) => page.schedules,
    }),
  /**
   * Reads the progress of a verification. If the server does not know it, requests stop after a few
   * attempts.
   */
  progress: (id: string) =>
    queryOptions({
      queryKey: ['verifyProgress', id],
      queryFn: () => answer(client.GET('/schedules/verify-credentials/{id}', { params: { path: { id } } })),
      retry: false,
      staleTime: 0,
      gcTime: 0,
      refetchInterval: (query) => (!query.state.data && query.state.errorUpdateCount >= UNKNOWN_LIMIT ? false : POLL_MS),
    }),
};
