import { useEffect, useRef } from 'react';
import { isSameQuestion } from '../question.ts';
import { reloadTask } from '../taskCache.ts';
import type { TaskQuestion } from './openQuestions.ts';

/** Difference between the clocks of server and device within which a deadline counts as passed. */
const CLOCKS_MS = 2_000;

/** Reloads the task of each question whose deadline has passed, because its state has changed. */
export function useReloadAtEnd(questions: TaskQuestion[]): void {
  const open = useRef(new Map<string, TaskQuestion>());
  useEffect(() => {
    const now = new Map(questions.map((one) => [one.task.id, one]));
    for (const [id, { asked }] of open.current) {
      const ended = !isSameQuestion(asked, now.get(id)?.asked) && Date.parse(asked.until) <= Date.now() + CLOCKS_MS;
      if (ended) void reloadTask(id);
    }
    open.current = now;
  }, [questions]);
}
