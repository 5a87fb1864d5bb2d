/** Reaction of the worker to a request: none, a build file from its cache, or a page. */
type Reaction = 'nothing' | 'asset' | 'page';

/** The part of a request that decides. */
export type Asked = Pick<Request, 'method' | 'mode' | 'url'> & { headers: Pick<Headers, 'has'> };

/**
 * The API and its documentation, money, probes, and the worker itself. They never pass through a
 * worker and reach the server exactly once, which is why worker.ts turns navigation preload off.
 */
const UNTOUCHED = /^\/(?:api|docs|pay|pay\.html|healthz|readyz|metrics|worker\.js)(?:\/|$)/;

/**
 * Returns the reaction to a request of a page at `origin`. The browser handles everything that is
 * not clearly a page or a build file.
 */
export function reactionTo({ method, mode, url, headers }: Asked, origin: string): Reaction {
  const at = new URL(url);
  // A part of a film is no complete response, and must never be cached as one.
  if (method !== 'GET' || at.origin !== origin || headers.has('range') || UNTOUCHED.test(at.pathname)) return 'nothing';
  if (mode === 'navigate') return 'page';
  return at.pathname.startsWith('/assets/') ? 'asset' : 'nothing';
}

/**
 * Returns whether a response is a complete build file, and not the substitute of a proxy or a
 * hotel's network.
 */
export function isWhole({ status, type, headers }: Pick<Response, 'status' | 'type' | 'headers'>): boolean {
  return status === 200 && type === 'basic' && !(headers.get('content-type') ?? '').startsWith('text/html');
}

/** Returns whether a proxy answers for an unreachable server, whose own responses have an id. */
export function isGateway({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return [502, 503, 504].includes(status) && !headers.has('x-request-id');
}
