import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queries } from '../../shared/api/queries.ts';
import { useStreamState } from '../../shared/api/streamState.ts';
import type { ListView } from '../../shared/api/taskList.ts';

const POLL_MS = 30_000;
/** With the stream at work the list needs no asking; now and then it is compared all the same. */
const COMPARE_MS = 300_000;

/** One page of tasks, kept fresh by the event stream, and by asking every 30 s while that is down. */
export function useTaskPage(view: ListView) {
  const live = useStreamState() === 'live';
  return useQuery({
    ...queries.tasks(view),
    placeholderData: keepPreviousData,
    refetchInterval: live ? COMPARE_MS : POLL_MS,
    refetchOnWindowFocus: live ? true : 'always',
  });
}
