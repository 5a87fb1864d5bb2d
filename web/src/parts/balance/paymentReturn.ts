const KEY = 'sooner.payment';

/** Keeps where somebody was who leaves for the provider's page. */
export function keepWayBack(): void {
  try {
    sessionStorage.setItem(KEY, window.location.pathname + window.location.search);
  } catch {
    // Without storage the way back is the dashboard.
  }
}

/** Where somebody was who comes back; null in another browser. Only addresses of this app. */
export function wayBack(): string | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    return kept?.startsWith('/') && !kept.startsWith('//') ? kept : null;
  } catch {
    return null;
  }
}
