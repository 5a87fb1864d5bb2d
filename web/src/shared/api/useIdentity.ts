import { useSyncExternalStore } from 'react';
import { sessionStore } from './identity.ts';

const nobody = () => null;

/** Who is signed in, live across tabs; nobody while a page is prerendered. */
export function useIdentity() {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get, nobody);
}
