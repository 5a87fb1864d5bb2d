import { useSyncExternalStore } from 'react';
import { createStore } from '../state/createStore.ts';

const KEY = 'sooner.hidden';

/**
 * Last list that this page wrote. It notifies subscribers, and replaces the storage if that is
 * blocked.
 */
const written = createStore<string | null>(null, () => false);

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return written.get();
  }
}

function read(text: string | null): string[] {
  try {
    const list: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(list) ? list.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

function write(ids: string[]): void {
  const text = JSON.stringify(ids);
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // Storage is blocked. The store `written` holds the list.
  }
  written.set(text);
}

/** Subscribes to changes by this page and by other tabs. */
function subscribe(onChange: () => void): () => void {
  const stop = written.subscribe(onChange);
  window.addEventListener('storage', onChange);
  return () => {
    stop();
    window.removeEventListener('storage', onChange);
  };
}

/** Returns the ids of the tasks whose personal data is hidden on this device. */
export const useHiddenIds = (): string[] => read(useSyncExternalStore(subscribe, stored));

/**
 * Returns whether the personal data of a task is hidden, and a function that toggles it. The choice
 * is stored on this device.
 */
export function useHiddenApplicants(id: string): [boolean, () => void] {
  const hidden = useHiddenIds().includes(id);
  const toggle = () => {
    const others = read(stored()).filter((one) => one !== id);
    write(hidden ? others : [...others, id]);
  };
  return [hidden, toggle];
}
