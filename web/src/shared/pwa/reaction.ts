/**
 * Reaction of the service worker to a request: ignore it, serve a build file from the cache, or
 * fetch a page.
 */
type Reaction = 'nothing' | 'asset' | 'page';

/** Part of a request that decides the reaction. */
export type Asked = Pick<Request, 'method' | 'mode' | 'url'> & { headers: Pick<Headers, 'has'> };

/**
 * Paths that the service worker ignores: the API and its documentation, payments, health checks,
 * and the worker itself. Such requests reach the server exactly once. For the same reason worker.ts
 * disables navigation preload.
 */
const UNTOUCHED = /^\/(?:api|docs|pay|pay\.html|healthz|readyz|metrics|worker\.js)(?:\/|$)/;

/**
 * Returns the reaction to a request from a page of `origin`. The worker ignores every request that
 * is not clearly for a page or a build file.
 */
export function reactionTo({ method, mode, url, headers }: Asked, origin: string): Reaction {
  const at = new URL(url);
  // A range request returns only a part of a film. It must not be cached as the whole file.
  if (method !== 'GET' || at.origin !== origin || headers.has('range') || UNTOUCHED.test(at.pathname)) return 'nothing';
  if (mode === 'navigate') return 'page';
  return at.pathname.startsWith('/assets/') ? 'asset' : 'nothing';
}

/**
 * Returns whether a response is a complete build file. A proxy or the network of a hotel may
 * respond with a page of its own.
 */
export function isWhole({ status, type, headers }: Pick<Response, 'status' | 'type' | 'headers'>): boolean {
  return status === 200 && type === 'basic' && !(headers.get('content-type') ?? '').startsWith('text/html');
}

/**
 * Returns whether a proxy answered, because it could not reach the server. The server's own
 * responses have a request id.
 */
export function isGateway({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return [502, 503, 504].includes(status) && !headers.has('x-request-id');
}
