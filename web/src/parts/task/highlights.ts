import { useEffect } from 'react';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const SHOWN_MS = 2_000;
const marked = createStore<ReadonlySet<string>>(new Set());
/** The task whose card is to be brought into view, wherever it appears next. */
const awaited = createStore<string | null>(null);

/** Marks a task's card for about 2 s. */
export function highlightTask(id: string): void {
  marked.set(new Set([...marked.get(), id]));
  setTimeout(() => marked.set(new Set([...marked.get()].filter((one) => one !== id))), SHOWN_MS);
}

/**
 * Scrolls to a task's card and marks it: at once if it is present, else when the dashboard opens.
 */
export const presentTask = (id: string) => awaited.set(id);

/** Returns whether a task's card is marked now. */
export const useHighlighted = (id: string) => useStore(marked, (ids) => ids.has(id));

/** Returns the task that waits to be brought into view, if any. */
export const useAwaited = () => useStore(awaited);

/** Stops waiting, because the task cannot be shown anywhere. */
export const forgetAwaited = () => awaited.set(null);

/** Brings the card of this task into view if it is the awaited one. `elementId` is the card's. */
export function usePresented(id: string, elementId: string): void {
  const wanted = useStore(awaited, (one) => one === id);
  useEffect(() => {
    if (!wanted) return;
    awaited.set(null);
    document.getElementById(elementId)?.scrollIntoView?.({ block: 'start' });
    highlightTask(id);
  }, [wanted, id, elementId]);
}
