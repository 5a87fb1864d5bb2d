import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { request, requestFile } from './client.ts';
import { hasCode } from './errors.ts';

/** Days of the chart people can choose between. */
export type SeenSpan = 7 | 22 | 90;

/** One row of a task's journal; what `data` holds depends on `kind`. */
export interface JournalEntry {
  id: string;
  at: string;
  /** The end of what was folded into this row, when it is more than one. */
  until: string | null;
  kind: string;
  data: Record<string, unknown>;
  count: number;
}
export interface JournalPage {
  entries: JournalEntry[];
  next: string | null;
}

/** A date the portal showed in one city, and what the task made of it. */
export interface SeenDay {
  date: string;
  /** In how many looks it was there. */
  times: number;
  first_seen_at: string;
  last_seen_at: string;
  wanted: boolean;
  why: string | null;
  margin_days: number | null;
}
export interface SeenCity {
  facility: string;
  now_earliest: string | null;
  days: SeenDay[];
}
/** The earliest date of one city from a moment on; none while the list was empty. */
export interface EarliestPoint {
  at: string;
  earliest: string | null;
}
export interface SlotMark {
  at: string;
  facility: string;
  date: string;
  outcome: string;
}
/** What a later end of the window would have shown. */
export interface Widening {
  end_date: string;
  more_dates: number;
  earliest: string;
  days_sooner: number | null;
}
export interface SeenCalendar {
  cities: SeenCity[];
  series: { facility: string; points: EarliestPoint[] }[];
  marks: SlotMark[];
  window: { start: string; end: string } | null;
  booked: { date: string; facility: string } | null;
  widen: Widening | null;
}

/** A slot that was seen and not taken (or taken), with the rule. */
export interface SeenEntry {
  date: string;
  facility: string;
  time: string | null;
  seen_at: string;
  gone_at: string | null;
  alive_seconds: number | null;
  why: string;
  data: {
    margin_days?: number | null;
    seconds_to_post?: number | null;
    reached?: string | null;
    attempt_spent?: boolean | null;
  };
}
export interface SeenPage {
  entries: SeenEntry[];
  next: string | null;
  total: number;
}

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
