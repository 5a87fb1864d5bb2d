import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/**
 * Returns whether the page is interactive. It is false while a document is prerendered, and in the
 * first render in the browser.
 */
export const useAlive = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
