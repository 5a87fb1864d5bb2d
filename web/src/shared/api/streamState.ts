import { useSyncExternalStore } from 'react';

/** Whether news of changes comes in by itself: not yet known, yes, or no (then the list is asked every 30 s). */
export type StreamState = 'connecting' | 'live' | 'down';

let state: StreamState = 'connecting';
const listeners = new Set<() => void>();

/** Where the event stream of this browser stands. */
export const streamState = {
  get: () => state,
  set: (next: StreamState) => {
    if (next === state) return;
    state = next;
    for (const listener of listeners) listener();
  },
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

/** The same, for components. */
export function useStreamState(): StreamState {
  return useSyncExternalStore(streamState.subscribe, streamState.get);
}
