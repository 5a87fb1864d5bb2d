import type { Task } from '../../shared/api/types.ts';
import { createStore } from '../../shared/state/createStore.ts';
import type { AskedDate } from './question.ts';

/** A yes that counts, and the engine's row when it was given. */
export interface GivenYes extends AskedDate {
  atMs: number;
  code: string;
  since: string;
}

/** The longest time that a yes stands for the engine's row: a try takes seconds. */
const SHOWN_MS = 120_000;

/** The yeses given in this tab, by task. */
export const yeses = createStore<Readonly<Record<string, GivenYes>>>({});

/** Keeps a yes to `asked`, until the engine's row changes. */
export function keepYes({ id, engine: { verdict } }: Task, asked: AskedDate): void {
  yeses.set({ ...yeses.get(), [id]: { ...asked, atMs: Date.now(), code: verdict.code, since: verdict.since } });
}

/** Returns the yes that a task's engine has not acted upon yet. */
export function givenYes({ id, engine: { verdict } }: Task, nowMs: number): GivenYes | null {
  const yes = yeses.get()[id];
  if (!yes || nowMs - yes.atMs >= SHOWN_MS) return null;
  return verdict.code === yes.code && verdict.since === yes.since ? yes : null;
}
