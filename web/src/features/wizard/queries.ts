import { queryOptions } from '@tanstack/react-query';
import { answer, client } from '../../shared/api/client.ts';
import { readTasks } from '../../shared/api/tasks.ts';

/** Maximum number of the user's tasks that the wizard compares with the portal's data. */
const OWN_TASKS = 100;
const POLL_MS = 700;
/**
 * Number of consecutive responses "no such verification" after which the progress is no longer
 * requested. The first such responses may only be too early.
 */
const UNKNOWN_LIMIT = 5;

export const wizardQueries = {
  /** The user's tasks. The wizard does not offer appointments that they already monitor. */
  ownTasks: () =>
    queryOptions({
      queryKey: ['tasks', 'wizard'],
      queryFn: () => readTasks(1, OWN_TASKS),
      select: (page) => page.schedules,
    }),
  /**
   * Progress of a verification. Requests stop after a few attempts if the server does not know it.
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
