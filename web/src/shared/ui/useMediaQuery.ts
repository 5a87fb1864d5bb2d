import { useCallback, useSyncExternalStore } from 'react';

const never = () => false;

/** Whether a media query holds; false in documents made ahead. Prefer CSS where only looks depend on it. */
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
