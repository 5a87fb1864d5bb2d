import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { asChannels, type NotifiedPage } from '../../shared/api/channels.ts';
import { answer, client } from '../../shared/api/client.ts';

const HISTORY_PAGE = 10;

function readHistory(taskId: string | null, before: string | null): Promise<NotifiedPage> {
  const query = { task_id: taskId ?? undefined, before: before ?? undefined, limit: HISTORY_PAGE };
  return answer(client.GET('/user/notifications', { params: { query } }));
}

export const channelQueries = {
  all: () =>
    queryOptions({
      queryKey: ['channels'],
      queryFn: () => answer(client.GET('/user/channels')).then(asChannels),
      staleTime: 30_000,
    }),
  /** Delivery history, newest first, of one task or of all. */
  history: (taskId: string | null) =>
    infiniteQueryOptions({
      queryKey: ['notified', taskId],
      queryFn: ({ pageParam }) => readHistory(taskId, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      staleTime: 30_000,
    }),
};
