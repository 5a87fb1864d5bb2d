import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

/** Whether news of changes comes in by itself: not yet known, yes, or no (then the list is asked every 30 s). */
export type StreamState = 'connecting' | 'live' | 'down';

/** Where the event stream of this browser stands. */
export const streamState = createStore<StreamState>('connecting');

/** The same, for components. */
export const useStreamState = () => useStore(streamState);
