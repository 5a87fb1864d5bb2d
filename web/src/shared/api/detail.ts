import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestFile } from './client.ts';
import { hasCode } from './errors.ts';
import type { JournalPage, SeenCalendar, SeenPage } from './types.ts';

/** Days of the chart people can choose between. */
export type SeenSpan = 7 | 22 | 90;

/** The calls of one task's page. */
export const detail = {
  journal: (id: string, before: string | null, limit = 50) =>
    request<JournalPage>('GET', `/schedules/${id}/journal`, { query: { before: before ?? undefined, limit } }),
  calendar: (id: string, days: SeenSpan) => request<SeenCalendar>('GET', `/schedules/${id}/calendar`, { query: { days } }),
  seen: (id: string, before: string | null, limit = 20) =>
    request<SeenPage>('GET', `/schedules/${id}/seen`, { query: { before: before ?? undefined, limit } }),
  appointmentFile: async (id: string, language: 'en' | 'zh') => {
    const response = await requestFile('GET', `/schedules/${id}/appointment.ics`, {
      query: { language },
      accept: 'text/calendar',
    });
    return response.blob();
  },
};

const FIRST_ENTRIES = 10;

/** A task that is gone has no parts either: they are not asked for twice. */
const retry = (failures: number, error: unknown) => failures < 1 && !hasCode(error, 'NOT_FOUND');

/** What one task has seen and done: all under one key, so that a new version of the task renews them together. */
export const detailQueries = {
  all: (id: string) => ['detail', id] as const,
  calendar: (id: string, days: SeenSpan) =>
    queryOptions({ queryKey: ['detail', id, 'calendar', days], queryFn: () => detail.calendar(id, days), retry }),
  seen: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['detail', id, 'seen'],
      queryFn: ({ pageParam }) => detail.seen(id, pageParam),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      retry,
    }),
  journal: (id: string) =>
    infiniteQueryOptions({
      queryKey: ['detail', id, 'journal'],
      // The page begins with what fits beside the reasons; who asks for more gets more.
      queryFn: ({ pageParam }) => detail.journal(id, pageParam, pageParam === null ? FIRST_ENTRIES : undefined),
      initialPageParam: null as string | null,
      getNextPageParam: (page) => page.next,
      retry,
    }),
};
