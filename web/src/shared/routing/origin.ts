import { paths } from './paths.ts';

const KEY = 'sooner.origin';
let leftOnPurpose = false;

/** Remembers where a guest was going, over a reload of the sign-in page too; not after a deliberate sign-out. */
export function rememberOrigin(path: string): void {
  if (leftOnPurpose) return;
  try {
    sessionStorage.setItem(KEY, path);
  } catch {
    // Without storage people land on the dashboard.
  }
}

/** Where to go after signing in: the remembered address, else the dashboard. Only paths of this site count. */
export function readOrigin(): string {
  try {
    const path = sessionStorage.getItem(KEY);
    return path?.startsWith('/') && !path.startsWith('//') ? path : paths.dashboard;
  } catch {
    return paths.dashboard;
  }
}

/** Forgets the remembered address; `purpose` says whether someone has arrived or has signed out. */
export function forgetOrigin(purpose: 'arrived' | 'signedOut'): void {
  leftOnPurpose = purpose === 'signedOut';
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}
