import type { Task } from '../../shared/api/types.ts';

/** Latest question of a task, as the server shows it. */
export type LatestQuestion = NonNullable<Task['latest_question']>;

/** Returns the latest question of a task if the time to answer it has passed. */
export const lapsedQuestion = ({ latest_question: latest }: Task): LatestQuestion | null =>
  latest?.state === 'late' ? latest : null;

/**
 * Returns whether the last list of the city contained the date of a lapsed question, with the time
 * of that list. Returns null if the city has no list.
 */
export function lapseInLastList(
  { engine: { cities } }: Task,
  { facility, listed_at }: LatestQuestion,
): { listed: boolean; at: string } | null {
  const at = listed_at ?? cities.find((one) => one.facility === facility)?.listed_at;
  return at ? { listed: listed_at !== null, at } : null;
}
