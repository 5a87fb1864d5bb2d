import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns whether the page's code runs. It is false in the first render of a prerendered document,
 * and while that is built.
 */
export const useAlive = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
