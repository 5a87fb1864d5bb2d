import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queries } from '../../shared/api/queries.ts';
import { useStreamState } from '../../shared/api/streamState.ts';
import type { ListView } from '../../shared/api/taskList.ts';

const POLL_MS = 30_000;
/** Interval of requests while the event stream works, in case an event was lost. */
const COMPARE_MS = 300_000;

/**
 * Returns one page of the task list. Events keep it current. While the stream is down, it is polled
 * every 30 s.
 */
export function useTaskPage(view: ListView) {
  const live = useStreamState() === 'live';
  return useQuery({
    ...queries.tasks(view),
    placeholderData: keepPreviousData,
    refetchInterval: live ? COMPARE_MS : POLL_MS,
    refetchOnWindowFocus: live ? true : 'always',
  });
}
