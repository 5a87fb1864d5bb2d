import { useCallback, useSyncExternalStore } from 'react';

const never = () => false;

/**
 * Returns whether a media query matches. Returns false in prerendered documents. Use CSS instead if
 * only styles depend on it.
 */
export function useMediaQuery(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const list = matchMedia(query);
      list.addEventListener('change', listener);
      return () => list.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches, never);
}
