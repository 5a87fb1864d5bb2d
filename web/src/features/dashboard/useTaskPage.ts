import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queries } from '../../shared/api/queries.ts';
import { useStreamState } from '../../shared/api/streamState.ts';
import type { ListView } from '../../shared/api/taskList.ts';

const POLL_MS = 30_000;
/** With a working stream the list needs no polling, only a comparison now and then. */
const COMPARE_MS = 300_000;

/**
 * Returns one page of tasks. The event stream keeps it fresh; while the stream is down, polling
 * every 30 s does.
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
