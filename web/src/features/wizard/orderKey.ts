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
    // Without storage the key lives as long as the page.
  }
}

/**
 * Returns the Idempotency-Key of an order. It stays the same until the response, across a reload or
 * a dropped network.
 */
export function orderKey(what: unknown): string {
  const text = JSON.stringify(what);
  order ??= load();
  if (order?.text !== text) store({ text, key: randomKey() });
  return order?.key ?? randomKey();
}

/** Deletes the key when the order has its response or is abandoned. */
export const forgetOrder = () => store(null);
