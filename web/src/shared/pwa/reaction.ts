/** What the worker does with a request: nothing at all, answers a file of a build from its cache, or sees a page through. */
type Reaction = 'nothing' | 'asset' | 'page';

/** The part of a request that decides. */
export type Asked = Pick<Request, 'method' | 'mode' | 'url'> & { headers: Pick<Headers, 'has'> };

/**
 * The API and its documentation, money, probes, and the worker itself: these never pass through a worker, and reach the server
 * once, which is why worker.ts turns navigation preload off.
 */
const UNTOUCHED = /^\/(?:api|docs|pay|pay\.html|healthz|readyz|metrics|worker\.js)(?:\/|$)/;

/** What to do with a request of a page at `origin`. Whatever is not plainly a page or a file of a build is left to the browser. */
export function reactionTo({ method, mode, url, headers }: Asked, origin: string): Reaction {
  const at = new URL(url);
  // A part of a film is no whole answer, and must never be kept as one.
  if (method !== 'GET' || at.origin !== origin || headers.has('range') || UNTOUCHED.test(at.pathname)) return 'nothing';
  if (mode === 'navigate') return 'page';
  return at.pathname.startsWith('/assets/') ? 'asset' : 'nothing';
}

/** Whether an answer is a whole file of a build, and not something a proxy or a hotel's network put in its place. */
export function isWhole({ status, type, headers }: Pick<Response, 'status' | 'type' | 'headers'>): boolean {
  return status === 200 && type === 'basic' && !(headers.get('content-type') ?? '').startsWith('text/html');
}

/** Whether a proxy answers for a server that does not: every answer of ours has an id. */
export function isGateway({ status, headers }: Pick<Response, 'status' | 'headers'>): boolean {
  return [502, 503, 504].includes(status) && !headers.has('x-request-id');
}
