import type { Task } from '../../shared/api/types.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';
import { type AskedDate, openQuestion } from './question.ts';

/** A yes that counts, and the engine's row when it was given. */
interface GivenYes extends AskedDate {
  atMs: number;
  row: string;
}

/** The longest time that a yes stands for the engine's row: a try takes seconds. */
const SHOWN_MS = 120_000;

/** The yeses given in this tab, by task. */
export const yeses = createStore<Readonly<Record<string, GivenYes>>>({});

/** Names the engine's row of a task: another one has another code or another beginning. */
export const rowOf = ({ engine: { verdict } }: Task) => verdict.code + verdict.since;

/** Returns the yes that a task's engine has not acted upon yet. */
export function givenYes(task: Task, nowMs: number): GivenYes | false | undefined {
  const yes = yeses.get()[task.id];
  return yes && nowMs - yes.atMs < SHOWN_MS && yes.row === rowOf(task) && yes;
}

/** Returns the question of a task that nobody has answered yet, by the second while there is one. */
export function useOpenQuestion(task: Task): AskedDate | null {
  const yes = useStore(yeses, (all) => all[task.id]);
  const question = openQuestion(task, useNow(task.engine.verdict.evidence?.asked ? 1_000 : 0));
  return question && question.until === yes?.until ? null : question;
}
