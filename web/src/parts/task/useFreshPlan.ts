import { useEffect } from 'react';
import type { Task } from '../../shared/api/types.ts';
import { reloadTask } from './taskCache.ts';

/** A check that was due is read about so long after its time, and then as often until there is a next one. */
const AFTER_DUE_MS = 5_000;
const AGAIN_MS = 30_000;
/** The longest wait that a timer is set for. */
const LONGEST_MS = 24 * 60 * 60_000;

/** Reads a task again once its next check was due: only the server knows whether it was made, and when the next one is. */
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
