import { useSyncExternalStore } from 'react';
import type { Store } from './createStore.ts';

/**
 * Returns a store's value, or `select` of it, live. `select` returns equal values for equal ones.
 */
export function useStore<T>(store: Store<T>): T;
export function useStore<T, S>(store: Store<T>, select: (value: T) => S): S;
export function useStore<T, S>(store: Store<T>, select?: (value: T) => S): T | S {
  const read = () => (select ? select(store.get()) : store.get());
  return useSyncExternalStore(store.subscribe, read, read);
}
