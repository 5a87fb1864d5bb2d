import { useSyncExternalStore } from 'react';
import { sessionStore } from './identity.ts';

const noUser = () => null;

/**
 * Returns the signed-in user, and updates when any tab changes it. Returns null during
 * prerendering.
 */
export function useIdentity() {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.get, noUser);
}
