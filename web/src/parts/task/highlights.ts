import { useEffect, useSyncExternalStore } from 'react';

const SHOWN_MS = 2_000;
let marked: ReadonlySet<string> = new Set();
/** The task whose card is to be brought into view, wherever it comes to stand next. */
let awaited: string | null = null;
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

/** Scrolls to a task's card and marks it: at once where it stands, else when the dashboard comes. */
export function presentTask(id: string): void {
  awaited = id;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Whether a task's card is marked now. */
export function useHighlighted(id: string): boolean {
  return useSyncExternalStore(subscribe, () => marked.has(id));
}

/** The task that waits to be brought into view, if any. */
export function useAwaited(): string | null {
  return useSyncExternalStore(subscribe, () => awaited);
}

/** Waits no longer: the task is nowhere to be shown. */
export function forgetAwaited(): void {
  awaited = null;
  for (const listener of listeners) listener();
}

/** Brings the card of this task into view when it is the one awaited; `elementId` is the card's. */
export function usePresented(id: string, elementId: string): void {
  const wanted = useSyncExternalStore(subscribe, () => awaited === id);
  useEffect(() => {
    if (!wanted) return;
    awaited = null;
    document.getElementById(elementId)?.scrollIntoView?.({ block: 'start' });
    highlightTask(id);
  }, [wanted, id, elementId]);
}
