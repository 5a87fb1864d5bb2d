/** A value outside of React that somebody may watch. */
export interface Store<T> {
  get: () => T;
  /** Tells everybody who watches, unless the value is the same. */
  set: (next: T) => void;
  /** Returns the way to stop. */
  subscribe: (listener: () => void) => () => void;
}

/** A store that begins with `initial`; `same` says which values are no change. */
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
