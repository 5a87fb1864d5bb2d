import i18next from 'i18next';
import { useSyncExternalStore } from 'react';
import { api } from '../api/calls.ts';
import { hasCode } from '../api/errors.ts';
import { queryClient } from '../api/queries.ts';
import type { Task } from '../api/types.ts';
import { amount } from '../i18n/format.ts';
import { errorWords } from './errorWords.ts';
import { forgetTask } from './taskCache.ts';
import { toast } from './toasts.ts';

const UNDO_MS = 5_000;
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();
let hidden: ReadonlySet<string> = new Set();

function set(next: ReadonlySet<string>): void {
  hidden = next;
  for (const listener of listeners) listener();
}

const show = (id: string) => set(new Set([...hidden].filter((one) => one !== id)));

async function run(id: string): Promise<void> {
  timers.delete(id);
  try {
    await api.deleteTask(id);
    forgetTask(id);
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) forgetTask(id);
    else toast.error(i18next.t(errorWords(error, 'toast.deleteFailed')));
  }
  for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
  show(id);
}

/** Makes the waiting calls at once, because nobody will be there to make them later. */
function flush(): void {
  for (const [id, timer] of timers) {
    clearTimeout(timer);
    void api.deleteTask(id, true).catch(() => undefined);
  }
  timers.clear();
}

/** Deletes a task with an undo, from whatever page: it hides at once, the call is made 5 s later, or when the site is left. */
export function removeTask(task: Task): void {
  const { id, price } = task;
  if (timers.has(id)) return;
  window.addEventListener('pagehide', flush);
  set(new Set([...hidden, id]));
  timers.set(
    id,
    setTimeout(() => void run(id), UNDO_MS),
  );
  const held = { amount: amount(price.on_hold), currency: price.currency };
  toast(price.on_hold > 0 ? i18next.t('toast.deletedHold', held) : i18next.t('toast.deleted'), {
    duration: UNDO_MS,
    action: {
      label: i18next.t('task.undo'),
      onClick: () => {
        clearTimeout(timers.get(id));
        timers.delete(id);
        show(id);
      },
    },
  });
}

/** Whether this tab is about to delete a task, or has just done so. */
export const isBeingDeleted = (id: string) => hidden.has(id);

/** The tasks that are hidden because they are about to be deleted. */
export function useHiddenTasks(): ReadonlySet<string> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hidden,
  );
}
