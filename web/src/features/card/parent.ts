/** What the page that frames this one asks for. */
export interface PayOrder {
  clientSecret: string;
}

/** What it is told. */
export type PayNews =
  | { type: 'ready' | 'processing' | 'cancelled' }
  | { type: 'resize'; height: number }
  | { type: 'succeeded'; payment_intent_id: string }
  | { type: 'failed'; code: string; message?: string };

/** The origin of the page that frames this one: the address says it, and this page's policy lets no other frame it. */
function framer(): string {
  const said = new URLSearchParams(window.location.search).get('from');
  return said && /^https?:\/\/[^/?#]+$/.test(said) ? said : window.location.origin;
}

/** Tells the page that frames this one, which is one of ours or nobody. */
export function tellParent(news: PayNews): void {
  if (window.parent !== window) window.parent.postMessage({ source: 'sooner-pay', ...news }, framer());
}

/** Hears its orders; answers how to stop. */
export function hearParent(heard: (order: PayOrder) => void): () => void {
  const listen = (event: MessageEvent) => {
    if (event.origin !== framer() || event.source !== window.parent) return;
    const data = event.data as { source?: unknown; type?: unknown; client_secret?: unknown } | null;
    if (data?.source !== 'sooner' || data.type !== 'pay' || typeof data.client_secret !== 'string') return;
    heard({ clientSecret: data.client_secret });
  };
  window.addEventListener('message', listen);
  return () => window.removeEventListener('message', listen);
}
