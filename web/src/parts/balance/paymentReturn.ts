const KEY = 'sooner.payment';

/** Stores the current page before the user leaves for the provider's page. */
export function storeReturnPath(): void {
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
export function storedReturnPath(): string | null {
  try {
    const path = sessionStorage.getItem(KEY);
    return path?.startsWith('/') && !path.startsWith('//') ? path : null;
  } catch {
    return null;
  }
}
