import { paths } from './paths.ts';

const KEY = 'sooner.origin';

/** Remembers where a guest was going, over a reload of the sign-in page too. */
export function rememberOrigin(path: string): void {
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // Without storage people land on the dashboard.
  }
}

/** Where to go after signing in: the remembered address, else the dashboard. Only paths of this site count. */
export function takeOrigin(): string {
  try {
    const path = sessionStorage.getItem(KEY);
    return path?.startsWith('/') && !path.startsWith('//') ? path : paths.dashboard;
  } catch {
    return paths.dashboard;
  }
}

/** Forgets the remembered address, once it has been reached or given up. */
export function forgetOrigin(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}
