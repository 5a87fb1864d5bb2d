import i18next from 'i18next';
import { useEffect } from 'react';
import { billingStore } from '../../shared/api/billing.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { queryClient } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { notifyUnderWay } from '../../shared/api/underWay.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { amount } from '../../shared/i18n/format.ts';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';
import { toast } from '../../shared/ui/toasts.ts';
import { forgetTask } from './taskCache.ts';
import { deleteTask, storeWaitingDeletes, waitingDeletes } from './waitingDeletes.ts';

const UNDO_MS = 5_000;
const timers = new Map<string, ReturnType<typeof setTimeout>>();
const hidden = createStore<ReadonlySet<string>>(new Set());

/** Stores the pending deletions for the next page. */
const storeTimers = () => storeWaitingDeletes([...timers.keys()]);

/**
 * Sends the deletions of the previous page again, because a browser may drop the requests of a page
 * that closes. The user has already seen these tasks disappear.
 */
function resumeDeletes(): void {
  const ids = waitingDeletes().filter((id) => !timers.has(id) && !hidden.get().has(id));
  if (ids.length === 0) return;
  hidden.set(new Set([...hidden.get(), ...ids]));
  for (const id of ids) void run(id);
}

const show = (id: string) => hidden.set(new Set([...hidden.get()].filter((one) => one !== id)));

async function run(id: string): Promise<void> {
  timers.delete(id);
  try {
    const deleted = await deleteTask(id);
    forgetTask(id);
    notifyUnderWay(deleted.booking_under_way);
  } catch (error) {
    if (hasCode(error, 'NOT_FOUND')) forgetTask(id);
    else toast.error(i18next.t(errorText(error, 'toast.deleteFailed')));
  }
  storeTimers();
  for (const name of ['credit', 'ledger', 'stats']) void queryClient.invalidateQueries({ queryKey: [name] });
  show(id);
}

/**
 * Sends the pending deletions at once, because the user leaves the page. The next page repeats the
 * ones that were lost.
 */
function flush(): void {
  for (const [id, timer] of timers) {
    clearTimeout(timer);
    void deleteTask(id, true).catch(() => undefined);
  }
  timers.clear();
}

/**
 * Deletes a task, with the possibility to undo it. The task disappears at once. The request is sent
 * after 5 s, or when the user leaves the site.
 */
export function removeTask(task: Task): void {
  const { id, price } = task;
  if (timers.has(id)) return;
  window.addEventListener('pagehide', flush);
  hidden.set(new Set([...hidden.get(), id]));
  timers.set(
    id,
    setTimeout(() => void run(id), UNDO_MS),
  );
  storeTimers();
  const held = { amount: amount(price.on_hold), currency: price.currency };
  toast(billingStore.get() && price.on_hold > 0 ? i18next.t('toast.deletedHold', held) : i18next.t('toast.deleted'), {
    timeout: UNDO_MS,
    action: {
      label: i18next.t('task.undo'),
      onClick: () => {
        clearTimeout(timers.get(id));
        timers.delete(id);
        storeTimers();
        show(id);
      },
    },
  });
}

/** Returns whether this tab is deleting a task or has just deleted it. */
export const isBeingDeleted = (id: string) => hidden.get().has(id);

/** Returns the ids of the tasks that are hidden because they are being deleted. */
export function useHiddenTasks(): ReadonlySet<string> {
  useEffect(resumeDeletes, []);
  return useStore(hidden);
}
