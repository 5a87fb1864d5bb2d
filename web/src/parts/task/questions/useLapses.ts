import { useEffect, useRef } from 'react';
import { lapses } from '../lapse.ts';
import { approvals } from '../pendingApproval.ts';
import { declines, isSameQuestion } from '../question.ts';
import { reloadTask } from '../taskCache.ts';
import type { TaskQuestion } from './openQuestions.ts';

/** Difference between the clocks of server and device within which a question counts as lapsed. */
const CLOCKS_MS = 2_000;

/**
 * Records the questions whose deadline passed without an answer, and reloads their tasks. The
 * server reports open questions only.
 */
export function useLapses(questions: TaskQuestion[]): void {
  const open = useRef(new Map<string, TaskQuestion>());
  useEffect(() => {
    const now = new Map(questions.map((one) => [one.task.id, one]));
    for (const [id, { asked }] of open.current) {
      if (isSameQuestion(asked, now.get(id)?.asked)) continue;
      const answered = [approvals.get()[id], declines.get()[id]].some((one) => isSameQuestion(asked, one));
      if (answered || Date.parse(asked.until) > Date.now() + CLOCKS_MS) continue;
      lapses.set({ ...lapses.get(), [id]: { ...asked, askedAt: null } });
      void reloadTask(id);
    }
    open.current = now;
  }, [questions]);
}
