import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

const made = () => true;

/** Returns whether the browser believes it is connected. Prerendered documents assume so. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine, made);
}
