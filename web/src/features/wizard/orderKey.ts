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
    // The key lives as long as the page.
  }
}

/** The Idempotency-Key of an order: the same until its answer came, over a reload and a dropped network too. */
export function orderKey(what: unknown): string {
  const text = JSON.stringify(what);
  order ??= load();
  if (order?.text !== text) store({ text, key: randomKey() });
  return order?.key ?? randomKey();
}

/** The order has its answer, or is given up. */
export const forgetOrder = () => store(null);
