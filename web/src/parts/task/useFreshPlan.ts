import { useEffect } from 'react';
import type { Task } from '../../shared/api/types.ts';
import { reloadTask } from './taskCache.ts';

/**
 * Delay between a due check and the first request, and the interval of further requests until the
 * server reports a next check.
 */
const AFTER_DUE_MS = 5_000;
const AGAIN_MS = 30_000;
/** Longest delay of a timer. */
const LONGEST_MS = 24 * 60 * 60_000;

/**
 * Reloads a task when its next check is due. Only the server knows whether the check ran, and when
 * the next one is.
 */
export function useFreshPlan({ id, engine: { next_check_at: at } }: Task): void {
  useEffect(() => {
    if (at === null) return;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (ms: number) => {
      timer = setTimeout(() => {
        void reloadTask(id);
        wait(AGAIN_MS);
      }, ms);
    };
    const left = Date.parse(at) - Date.now();
    if (left < LONGEST_MS) wait(Math.max(0, left) + AFTER_DUE_MS);
    return () => clearTimeout(timer);
  }, [id, at]);
}
