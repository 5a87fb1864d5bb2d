import type { Task } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';
import { type AskedDate, isSameQuestion, openQuestion } from './question.ts';

/** Accepted approval, and the condition of the task at that time. */
interface PendingApproval extends AskedDate {
  atMs: number;
  row: string;
}

/**
 * Longest time for which the card shows the approval instead of the engine's condition. A booking
 * attempt takes seconds.
 */
const SHOWN_MS = 120_000;

/** Approvals that the user gave in this tab, by task id. */
export const approvals = createStore<Readonly<Record<string, PendingApproval>>>({});

/**
 * Returns an identifier of the task's condition. It changes when the engine reports another
 * condition.
 */
export const rowOf = ({ engine: { verdict } }: Task) => verdict.code + verdict.since;

/** Returns the approval of a task, until the engine reports another condition. */
export function pendingApproval(task: Task, nowMs: number): PendingApproval | false | undefined {
  const approval = approvals.get()[task.id];
  return approval && nowMs - approval.atMs < SHOWN_MS && approval.row === rowOf(task) && approval;
}

/** Returns the open question of a task, or null. It is updated every second while there is one. */
export function useOpenQuestion(task: Task): AskedDate | null {
  const approval = useStore(approvals, (all) => all[task.id]);
  const question = openQuestion(task, useNow(task.engine.verdict.evidence?.asked ? 1_000 : 0));
  return isSameQuestion(question, approval) ? null : question;
}
