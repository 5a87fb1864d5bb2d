import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

/** State of live updates: not yet known, yes, or no. Without them the list is polled every 30 s. */
export type StreamState = 'connecting' | 'live' | 'down';

/** State of this browser's event stream. */
export const streamState = createStore<StreamState>('connecting');

/** Returns the same, for components. */
export const useStreamState = () => useStore(streamState);
