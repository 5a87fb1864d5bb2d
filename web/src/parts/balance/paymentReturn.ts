const KEY = 'sooner.payment';

/** Stores the current page before the user leaves for the provider's page. */
export function keepWayBack(): void {
  try {
    sessionStorage.setItem(KEY, window.location.pathname + window.location.search);
  } catch {
    // Without storage the return leads to the dashboard.
  }
}

/**
 * Returns the page before the departure, or null in another browser. It accepts only addresses of
 * this app.
 */
export function wayBack(): string | null {
  try {
    const kept = sessionStorage.getItem(KEY);
    return kept?.startsWith('/') && !kept.startsWith('//') ? kept : null;
  } catch {
    return null;
  }
}
