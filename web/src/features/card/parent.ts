/** Request of the parent page to confirm a payment. */
export interface PayOrder {
  clientSecret: string;
}

/** Message to the parent page. */
export type PayMessage =
  | { type: 'ready' | 'processing' | 'cancelled' }
  | { type: 'resize'; height: number }
  | { type: 'succeeded'; payment_intent_id: string }
  | { type: 'failed'; code: string; message?: string };

/**
 * Returns the origin of the parent page, from the address. The content security policy of this page
 * permits no other parent.
 */
function parentOrigin(): string {
  const origin = new URLSearchParams(window.location.search).get('from');
  return origin && /^https?:\/\/[^/?#]+$/.test(origin) ? origin : window.location.origin;
}

/** Sends a message to the parent page, if there is one. */
export function postToParent(message: PayMessage): void {
  if (window.parent !== window) window.parent.postMessage({ source: 'sooner-pay', ...message }, parentOrigin());
}

/** Subscribes to requests of the parent page. Returns a function that unsubscribes. */
export function listenToParent(onOrder: (order: PayOrder) => void): () => void {
  const listen = (event: MessageEvent) => {
    if (event.origin !== parentOrigin() || event.source !== window.parent) return;
    const data = event.data as { source?: unknown; type?: unknown; client_secret?: unknown } | null;
    if (data?.source !== 'sooner' || data.type !== 'pay' || typeof data.client_secret !== 'string') return;
    onOrder({ clientSecret: data.client_secret });
  };
  window.addEventListener('message', listen);
  return () => window.removeEventListener('message', listen);
}
