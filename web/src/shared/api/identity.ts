import { createStore } from '../state/createStore.ts';
import type { Identity } from './tokens.ts';

/** Returns whether two identities look the same on the screen. */
export const isSameUser = (a: Identity | null, b: Identity | null) =>
  a?.id === b?.id &&
  a?.username === b?.username &&
  a?.email === b?.email &&
  (a?.display_name ?? null) === (b?.display_name ?? null);

/** The signed-in user, or null for a guest. Only api/session.ts sets it. */
export const sessionStore = createStore<Identity | null>(null, isSameUser);
