import { randomKey } from '../../shared/browser/randomKey.ts';

const KEY = 'sooner.order';

interface OrderKey {
  text: string;
  key: string;
}

let order: OrderKey | null = null;

function load(): OrderKey | null {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as OrderKey | null;
  } catch {
    return null;
  }
}

function store(next: OrderKey | null): void {
  order = next;
  try {
    if (next) sessionStorage.setItem(KEY, JSON.stringify(next));
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked. The key exists until the page closes.
  }
}

/**
 * Returns the idempotency key of an order. It stays the same until the server's response, also
 * after a reload or a network failure.
 */
export function orderKey(what: unknown): string {
  const text = JSON.stringify(what);
  order ??= load();
  if (order?.text !== text) store({ text, key: randomKey() });
  return order?.key ?? randomKey();
}

/** Deletes the key when the order has a response or the user abandons it. */
export const forgetOrder = () => store(null);
