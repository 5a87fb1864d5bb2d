import { queryOptions } from '@tanstack/react-query';
import { answer, client } from '../../shared/api/client.ts';
import { readTasks } from '../../shared/api/tasks.ts';

/** As many of one's tasks as the wizard compares with what it read at the portal. */
const OWN_TASKS = 100;
const POLL_MS = 700;
/** So many answers "no such verification" in a row mean that this server does not tell; the first ones only mean "not yet". */
const UNKNOWN_LIMIT = 5;

export const wizardQueries = {
  /** One's own tasks, so that what is monitored since the portal was read is not offered again. */
  ownTasks: () =>
    queryOptions({
      queryKey: ['tasks', 'wizard'],
      queryFn: () => readTasks(1, OWN_TASKS),
      select: (page) => page.schedules,
    }),
  /** Asked while the verification runs; a server that knows nothing of it is left alone after a few tries. */
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
