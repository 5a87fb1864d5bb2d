import type { BookingMode, Task } from '../../shared/api/types.ts';

/** Date of a task's question, and the deadline for its approval. */
export type AskedDate = NonNullable<NonNullable<Task['engine']['verdict']['evidence']>['asked']>;

/** Time by which the deadline of a question may move: from three minutes after the poll to two. */
const MOVES_MS = 60_000;

/**
 * Returns whether two dates belong to one question. The deadline of a question changes once, when
 * its message was delivered. A date that returned to the list is a new question.
 */
export const isSameQuestion = (a: AskedDate | null | undefined, b: AskedDate | null | undefined) =>
  a?.date === b?.date &&
  a?.facility === b?.facility &&
  Math.abs(Date.parse(a?.until ?? '') - Date.parse(b?.until ?? '')) <= MOVES_MS;

/** Returns the question of a task if it is still open at `nowMs`. */
export function openQuestion(task: Task, nowMs: number): AskedDate | null {
  const asked = task.engine.verdict.evidence?.asked;
  return asked && Date.parse(asked.until) > nowMs ? asked : null;
}

/**
 * Returns the present reaction of a task to a matching date. A task in automatic mode asks first
 * until the engine has read the portal's booking form once.
 */
export const modeNow = ({ schedule_config: { booking_mode, asks_first_for_now } }: Task): BookingMode =>
  asks_first_for_now ? 'ask' : booking_mode;
