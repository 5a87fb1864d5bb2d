import { useEffect } from 'react';
import { createStore } from '../../shared/state/createStore.ts';
import { useStore } from '../../shared/state/useStore.ts';

const SHOWN_MS = 2_000;
const marked = createStore<ReadonlySet<string>>(new Set());
/** Id of the task whose card will scroll into view when it appears. */
const awaited = createStore<string | null>(null);

/** Highlights the card of a task for about 2 s. */
export function highlightTask(id: string): void {
  marked.set(new Set([...marked.get(), id]));
  setTimeout(() => marked.set(new Set([...marked.get()].filter((one) => one !== id))), SHOWN_MS);
}

/**
 * Scrolls to the card of a task and highlights it. If the card is not on the page, this happens
 * when the dashboard opens.
 */
export const presentTask = (id: string) => awaited.set(id);

/** Returns whether the card of a task is highlighted. */
export const useHighlighted = (id: string) => useStore(marked, (ids) => ids.has(id));

/** Returns the id of the task whose card will scroll into view, or null. */
export const useAwaited = () => useStore(awaited);

/** Cancels `presentTask`, because the task is not in the list. */
export const forgetAwaited = () => awaited.set(null);

/**
 * Scrolls to a card if `presentTask` was called for its task. `elementId` is the id of the card's
 * element.
 */
export function usePresented(id: string, elementId: string): void {
  const wanted = useStore(awaited, (one) => one === id);
  useEffect(() => {
    if (!wanted) return;
    awaited.set(null);
    document.getElementById(elementId)?.scrollIntoView?.({ block: 'start' });
    highlightTask(id);
  }, [wanted, id, elementId]);
}
