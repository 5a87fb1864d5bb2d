import { createStore } from '../state/createStore.ts';
import type { Identity } from './tokens.ts';

/** Whether there is nothing about somebody to show anew. */
export const isSamePerson = (a: Identity | null, b: Identity | null) =>
  a?.id === b?.id &&
  a?.username === b?.username &&
  a?.email === b?.email &&
  (a?.display_name ?? null) === (b?.display_name ?? null);

/** The signed-in person; null for a guest. Only api/session.ts says who it is. */
export const sessionStore = createStore<Identity | null>(null, isSamePerson);
