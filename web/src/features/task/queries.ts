import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { JournalPage } from '../../shared/api/types.ts';

/** Spans of the chart that users can choose, in days. */
export type SeenSpan = 7 | 30 | 90;

/** Days of the heat map. */
export const HEAT_SPAN = 90;

/** Reads one page of the journal, from the newest entry or from the end of the previous page. */
export async function readJournal(id: string, before: string | null, limit = 50): Promise<JournalPage> {
  const params = { ...ofTask(id), query: { before: before ?? undefined, limit } };
  const page = await answer(client.GET('/schedules/{id}/journal', { params }));
  return page as JournalPage;
}

function readSeen(id: string, before: string | null, limit = 20) {
  return answer(client.GET('/schedules/{id}/seen', { params: { ...ofTask(id), query: { before: before ?? undefined, limit } } }));
}

const FIRST_ENTRIES = 10;

/** A deleted task has no parts either, so they are not requested twice. */
const retry = (failures: number, error: Error) => failures < 1 && !hasCode(error, 'NOT_FOUND');

/**
 * Queries of one task's details. They share one key, so that a new version of the task renews them
 * together.
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
      // The first page fits beside the reasons. Later pages are larger.
      queryFn: ({ pageParam }) => readJournal(id, pageParam, pageParam === null ? FIRST_ENTRIES : undefined),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      retry,
    }),
};
