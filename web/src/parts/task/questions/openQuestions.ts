import { queryOptions, useQuery } from '@tanstack/react-query';
import { useStreamState } from '../../../shared/api/streamState.ts';
import { readTasks } from '../../../shared/api/tasks.ts';
import type { Task } from '../../../shared/api/types.ts';
import { useNow } from '../../../shared/hooks/useNow.ts';
import { useStore } from '../../../shared/state/useStore.ts';
import { approvals } from '../pendingApproval.ts';
import { type AskedDate, isSameQuestion, openQuestion } from '../question.ts';

/** A task and its open question. */
export interface TaskQuestion {
  task: Task;
  asked: AskedDate;
}

const LARGEST_PAGE = 100;
const POLL_MS = 30_000;
/** Interval of requests while the event stream works, in case an event was lost. */
const COMPARE_MS = 300_000;

/**
 * Query for the tasks that need the user. The server lists a task with an open question there. The
 * key is that of a list with this filter, so that events keep it current (taskCache.ts).
 */
export const attentionQuery = () =>
  queryOptions({
    queryKey: ['tasks', 'attention', 'questions'],
    queryFn: () => readTasks(1, LARGEST_PAGE, 'needs_you'),
  });

/**
 * Returns all open questions of the user, the one that ends first in front. Answered ones are
 * missing. It is updated every second while there is one.
 */
export function useOpenQuestions(): TaskQuestion[] {
  const live = useStreamState() === 'live';
  const { data } = useQuery({
    ...attentionQuery(),
    refetchInterval: live ? COMPARE_MS : POLL_MS,
    refetchOnWindowFocus: live ? true : 'always',
  });
  const approved = useStore(approvals);
  const tasks = data?.schedules ?? [];
  useNow(tasks.some((task) => task.engine.verdict.evidence?.asked) ? 1_000 : 0);
  const nowMs = Date.now();
  return tasks
    .flatMap((task): TaskQuestion[] => {
      const asked = openQuestion(task, nowMs);
      return asked && !isSameQuestion(asked, approved[task.id]) ? [{ task, asked }] : [];
    })
    .sort((a, b) => Date.parse(a.asked.until) - Date.parse(b.asked.until));
}
