const KEY = 'sooner.faq.read';

/** Returns the questions that were opened in this browser. */
export function readFaqKeys(): string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/** Stores the questions that were opened. */
export function storeFaqKeys(keys: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(keys));
  } catch {
    // Without storage they are unread next time.
  }
}
