import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the page is alive: false in a prerendered document and in its first live frame, which must be the same. */
export function useAlive(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
