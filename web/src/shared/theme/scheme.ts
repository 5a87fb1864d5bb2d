import { useSyncExternalStore } from 'react';

/** The two colour schemes. */
type Scheme = 'light' | 'dark';
/** Choice of the user. `system` follows the system's scheme. */
type SchemeChoice = Scheme | 'system';

/**
 * Storage key of the chosen scheme. Without a choice the system's scheme applies.
 * `public/first-paint.js` and `app/documents/first.js` read the same key.
 */
const schemeKey = 'sooner.mode';

const listeners = new Set<() => void>();
const system = () => (typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null);

/** Returns the scheme of <html>, which is set before the first paint. */
const current = (): Scheme => (document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light');
const inDocuments = (): Scheme => 'light';

function show(scheme: Scheme): void {
  document.documentElement.dataset.theme = scheme;
  for (const listener of listeners) listener();
}

function chosen(): Scheme | null {
  try {
    const text = localStorage.getItem(schemeKey);
    return text === 'dark' || text === 'light' ? text : null;
  } catch {
    return null;
  }
}

const follow = () => show(chosen() ?? (system()?.matches ? 'dark' : 'light'));
const onStorage = ({ key }: StorageEvent) => key === schemeKey && follow();

function subscribe(listener: () => void): () => void {
  const first = listeners.size === 0;
  listeners.add(listener);
  if (first) {
    // Follows the choice in another tab, and the system's switch between day and night.
    window.addEventListener('storage', onStorage);
    system()?.addEventListener('change', follow);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('storage', onStorage);
    system()?.removeEventListener('change', follow);
  };
}

/** Returns the present scheme. */
export function useScheme(): Scheme {
  return useSyncExternalStore(subscribe, current, inDocuments);
}

/** Returns the user's choice. */
export function useSchemeChoice(): SchemeChoice {
  return useSyncExternalStore(
    subscribe,
    () => chosen() ?? 'system',
    () => 'system',
  );
}

/** Sets the scheme in all tabs, and stores it for later visits. */
export function chooseScheme(scheme: SchemeChoice): void {
  try {
    if (scheme === 'system') localStorage.removeItem(schemeKey);
    else localStorage.setItem(schemeKey, scheme);
  } catch {
    // Storage is blocked. The choice lasts until the page closes.
  }
  if (scheme === 'system') follow();
  else show(scheme);
}
