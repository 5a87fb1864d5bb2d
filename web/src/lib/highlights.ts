import { useSyncExternalStore } from 'react';

const SHOWN_MS = 2_000;
let marked: ReadonlySet<string> = new Set();
const listeners = new Set<() => void>();

function set(next: ReadonlySet<string>): void {
  marked = next;
  for (const listener of listeners) listener();
}

/** Marks a task's card for about 2 s. */
export function highlightTask(id: string): void {
  set(new Set([...marked, id]));
  setTimeout(() => set(new Set([...marked].filter((one) => one !== id))), SHOWN_MS);
}

/** Whether a task's card is marked now. */
export function useHighlighted(id: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => marked.has(id),
  );
}
