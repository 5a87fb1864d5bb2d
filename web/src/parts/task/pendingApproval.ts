import type { Task } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';
import { type AskedDate, openQuestion } from './question.ts';

/** An accepted approval, and the engine's row at that time. */
interface PendingApproval extends AskedDate {
  atMs: number;
  row: string;
}

/** Longest time for which an approval replaces the engine's row. An attempt takes seconds. */
const SHOWN_MS = 120_000;

/** Approvals given in this tab, by task. */
export const approvals = createStore<Readonly<Record<string, PendingApproval>>>({});

/** Returns an identifier of a task's engine row. Another row has another code or start. */
export const rowOf = ({ engine: { verdict } }: Task) => verdict.code + verdict.since;

/** Returns the approval that a task's engine has not acted upon yet. */
export function pendingApproval(task: Task, nowMs: number): PendingApproval | false | undefined {
  const approval = approvals.get()[task.id];
  return approval && nowMs - approval.atMs < SHOWN_MS && approval.row === rowOf(task) && approval;
}

/** Returns the open question of a task, updated every second while there is one. */
export function useOpenQuestion(task: Task): AskedDate | null {
  const approval = useStore(approvals, (all) => all[task.id]);
  const question = openQuestion(task, useNow(task.engine.verdict.evidence?.asked ? 1_000 : 0));
  return question && question.until === approval?.until ? null : question;
}
