/** Observable value outside of React. */
export interface Store<T> {
  get: () => T;
  /** Notifies all subscribers, unless the value is the same. */
  set: (next: T) => void;
  /** Returns a function that unsubscribes. */
  subscribe: (listener: () => void) => () => void;
}

/** Creates a store with the value `initial`. `same` decides which values are equal. */
export function createStore<T>(initial: T, same: (a: T, b: T) => boolean = Object.is): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (same(value, next)) return;
      value = next;
      for (const listener of [...listeners]) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
