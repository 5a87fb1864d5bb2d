import { useEffect, useId } from 'react';
import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

/** Ids of the open dialogs, in the order in which they opened. */
const openDialogs = createStore<readonly string[]>([]);

/**
 * Returns whether a dialog that opened later covers this one. A covered dialog is not shown, so
 * that there is never a dialog over a dialog. It appears again when the later one closes.
 */
export function useCovered(open: boolean): boolean {
  const id = useId();
  useEffect(() => {
    if (!open) return;
    openDialogs.set([...openDialogs.get(), id]);
    return () => openDialogs.set(openDialogs.get().filter((other) => other !== id));
  }, [id, open]);
  return useStore(openDialogs, (ids) => ids.includes(id) && ids.at(-1) !== id);
}
