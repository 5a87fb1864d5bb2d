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

/** Whether the browser believes to be connected; so it is in documents made ahead. */
export function useOnline(): boolean {
  return useSyncExternalStore(subscribe, () => navigator.onLine, made);
}
