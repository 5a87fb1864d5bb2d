import { useSyncExternalStore } from 'react';
import type { Store } from './createStore.ts';

/**
 * Returns the value of a store, or `select` of it, and updates the component on a change. `select`
 * must return the same object for equal values.
 */
export function useStore<T>(store: Store<T>): T;
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S;
export function useStore<T, S>(store: Store<T>, select?: (value: T) => S): T | S {
  const read = () => (select ? select(store.get()) : store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
