import { useSyncExternalStore } from 'react';
import { sessionStore } from './identity.ts';

const noUser = () => null;

/** Returns the signed-in user, live across tabs. It is null during prerendering. */
export function useIdentity() {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get, noUser);
}
