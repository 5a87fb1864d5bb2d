const KEY = 'sooner.payment';

/**
 * Stores the address of the current page before the user leaves for the page of a payment provider.
 */
export function storeReturnPath(): void {
  try {
    sessionStorage.setItem(KEY, window.location.pathname + window.location.search);
  } catch {
    // Storage is blocked. The user then returns to the dashboard.
  }
}

/**
 * Returns the address of the page that the user left, or null in another browser. Addresses of
 * other sites are ignored.
 */
export function storedReturnPath(): string | null {
  try {
    const path = sessionStorage.getItem(KEY);
    return path?.startsWith('/') && !path.startsWith('//') ? path : null;
  } catch {
    return null;
  }
}
