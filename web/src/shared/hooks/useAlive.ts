import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** Whether the page's code runs; false in the first frame of a document that was made ahead, and while that is made. */
export const useAlive = () =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
