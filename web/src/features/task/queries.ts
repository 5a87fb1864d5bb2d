import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { JournalPage } from '../../shared/api/types.ts';

/** Periods of the chart, in days. */
export type SeenSpan = 7 | 30 | 90;

/** Period of the heat map, in days. */
export const HEAT_SPAN = 90;

/** Requests one page of the journal. `before` is the end of the previous page. */
export async function readJournal(id: string, before: string | null, limit = 50): Promise<JournalPage> {
  const params = { ...ofTask(id), query: { before: before ?? undefined, limit } };
  const page = await answer(client.GET('/schedules/{id}/journal', { params }));
  return page as JournalPage;
}

function readSeen(id: string, before: string | null, limit = 20) {
  return answer(client.GET('/schedules/{id}/seen', { params: { ...ofTask(id), query: { before: before ?? undefined, limit } } }));
}

const FIRST_ENTRIES = 10;

/** Returns whether to retry. If the task was deleted, its cards cannot load either. */
const retry = (failures: number, error: Error) => failures < 1 && !hasCode(error, 'NOT_FOUND');

/**
 * Queries for the details of one task. Their keys begin alike, so that a new version of the task
 * reloads all of them.
 */
export const detailQueries = {
  all: (id: string) => ['detail', id] as const,
  calendar: (id: string, days: SeenSpan) =>
    queryOptions({
      queryKey: ['detail', id, 'calendar', days],
      queryFn: () => answer(client.GET('/schedules/{id}/calendar', { params: { ...ofTask(id), query: { days } } })),
      retry,
    }),
  seen: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['detail', id, 'seen'],
      queryFn: ({ pageParam }) => readSeen(id, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      retry,
    }),
  journal: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['detail', id, 'journal'],
      // The first page is short. Later pages have the default size.
      queryFn: ({ pageParam }) => readJournal(id, pageParam, pageParam === null ? FIRST_ENTRIES : undefined),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      retry,
    }),
};
