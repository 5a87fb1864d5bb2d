import type { Identity } from './tokens.ts';

let identity: Identity | null = null;
const listeners = new Set<() => void>();

/** The signed-in person, for `useSyncExternalStore`; null for a guest. Only api/session.ts says who it is. */
export const sessionStore = {
  get: () => identity,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  set: (next: Identity | null) => {
    const same = next?.id === identity?.id && next?.username === identity?.username && next?.email === identity?.email;
    if (same) return;
    identity = next && { id: next.id, username: next.username, email: next.email };
    for (const listener of listeners) listener();
  },
};
