import { createStore } from '../state/createStore.ts';
import type { Identity } from './tokens.ts';

const same = (a: Identity | null, b: Identity | null) => a?.id === b?.id && a?.username === b?.username && a?.email === b?.email;

/** The signed-in person; null for a guest. Only api/session.ts says who it is. */
export const sessionStore = createStore<Identity | null>(null, same);
