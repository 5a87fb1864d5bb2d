const KEY = 'sooner.faq.read';

/** Returns the keys of the questions that were opened in this browser. */
export function readFaqKeys(): string[] {
  try {
    const keys: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [];
  } catch {
    return [];
  }
}

/** Stores the keys of the opened questions. */
export function storeFaqKeys(keys: string[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(keys));
  } catch {
    // Storage is blocked. The questions are unread on the next visit.
  }
}
