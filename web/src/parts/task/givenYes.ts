import type { Task } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';
import { type AskedDate, openQuestion } from './question.ts';

/** An accepted approval, and the engine's row at that time. */
interface GivenYes extends AskedDate {
  atMs: number;
  row: string;
}

/** Longest time for which an approval replaces the engine's row. An attempt takes seconds. */
const SHOWN_MS = 120_000;

/** Approvals given in this tab, by task. */
export const yeses = createStore<Readonly<Record<string, GivenYes>>>({});

/** Returns an identifier of a task's engine row. Another row has another code or start. */
export const rowOf = ({ engine: { verdict } }: Task) => verdict.code + verdict.since;

/** Returns the approval that a task's engine has not acted upon yet. */
export function givenYes(task: Task, nowMs: number): GivenYes | false | undefined {
  const yes = yeses.get()[task.id];
  return yes && nowMs - yes.atMs < SHOWN_MS && yes.row === rowOf(task) && yes;
}

/** Returns the open question of a task, updated every second while there is one. */
export function useOpenQuestion(task: Task): AskedDate | null {
  const yes = useStore(yeses, (all) => all[task.id]);
  const question = openQuestion(task, useNow(task.engine.verdict.evidence?.asked ? 1_000 : 0));
  return question && question.until === yes?.until ? null : question;
}
