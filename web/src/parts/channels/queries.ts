import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { asChannels, type NotifiedPage } from '../../shared/api/channels.ts';
import { answer, client } from '../../shared/api/client.ts';

const HISTORY_PAGE = 10;

/** Whether the API tells what was sent. Until it does nobody is offered the list, which is ready (HistoryList.tsx). */
export const historyThere = { yes: false };

/** What the API's document will have of this call. */
type History = (
  path: string,
  asked: { params: { query: object } },
) => Promise<{ data?: { success: boolean; data: NotifiedPage } }>;

function readHistory(taskId: string | null, before: string | null): Promise<NotifiedPage> {
  const query = { task_id: taskId ?? undefined, before: before ?? undefined, limit: HISTORY_PAGE };
  return answer((client.GET as unknown as History)('/user/notifications', { params: { query } }));
}

export const channelQueries = {
  all: () =>
    queryOptions({
      queryKey: ['channels'],
      queryFn: () => answer(client.GET('/user/channels')).then(asChannels),
      staleTime: 30_000,
    }),
  /** What was told, newest first: of one task, or of all. */
  history: (taskId: string | null) =>
    infiniteQueryOptions({
      queryKey: ['notified', taskId],
      queryFn: ({ pageParam }) => readHistory(taskId, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      staleTime: 30_000,
    }),
};
