import { createStore } from '../state/createStore.ts';
import { useStore } from '../state/useStore.ts';

/**
 * State of the event stream: connecting, live, or down. While it is not live, the task list is
 * polled.
 */
export type StreamState = 'connecting' | 'live' | 'down';

/** State of the event stream of this browser. */
export const streamState = createStore<StreamState>('connecting');

/** Returns the state of the event stream, and updates the component on a change. */
export const useStreamState = () => useStore(streamState);
