import type { Task } from '../../shared/api/types.ts';
import { createStore } from '../../shared/state/createStore.ts';

/** Question whose deadline passed without an answer. */
export interface Lapse {
  date: string;
  facility: string;
  /** Deadline of the answer, or null if only the time of the question is known. */
  until: string | null;
  askedAt: string | null;
}

/** Last unanswered question of each task that this tab knows of, by task id. */
export const lapses = createStore<Readonly<Record<string, Lapse>>>({});

/** Period after which an unanswered question is no longer shown. */
const LAPSE_SHOWN_MS = 24 * 3_600_000;

/** Returns the last unanswered question of a task, unless it is old or a booking followed. */
export function lapsedQuestion(task: Task, nowMs: number): Lapse | null {
  const lapse = lapses.get()[task.id];
  const at = Date.parse(lapse?.until ?? lapse?.askedAt ?? '');
  const booked = task.success_history.some(({ timestamp }) => Date.parse(timestamp) > at);
  return lapse && !booked && nowMs - at < LAPSE_SHOWN_MS ? lapse : null;
}
