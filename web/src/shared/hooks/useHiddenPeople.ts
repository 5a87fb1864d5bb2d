import { useSyncExternalStore } from 'react';
import { createStore } from '../state/createStore.ts';

const KEY = 'sooner.hidden';

/** The list as last written here: tells who watches, and holds it where storage is blocked, as long as the page lasts. */
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
    // Blocked: the store holds it.
  }
  written.set(text);
}

/** Changes made here and in other tabs. */
function subscribe(tell: () => void): () => void {
  const stop = written.subscribe(tell);
  window.addEventListener('storage', tell);
  return () => {
    stop();
    window.removeEventListener('storage', tell);
  };
}

/** The tasks whose personal data is hidden on this device. */
export const useHiddenIds = (): string[] => read(useSyncExternalStore(subscribe, stored));

/** Whether a task's personal data is hidden, remembered on this device and the same all over the page, and the way to turn it over. */
export function useHiddenPeople(id: string): [boolean, () => void] {
  const hidden = useHiddenIds().includes(id);
  const toggle = () => {
    const others = read(stored()).filter((one) => one !== id);
    write(hidden ? others : [...others, id]);
  };
  return [hidden, toggle];
}
