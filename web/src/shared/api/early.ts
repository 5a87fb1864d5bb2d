/**
 * Request that the app's document sent before the code loaded (app/documents/shell.js), with its
 * access token and its pending response.
 */
interface EarlyCall {
  url: string;
  token: string;
  response: Promise<Response>;
}

declare global {
  interface Window {
    early?: EarlyCall[];
  }
}

/** Age of the page at which early responses are discarded as outdated. */
const MAX_AGE_MS = 30_000;

/**
 * Returns the response to `request` if the document already sent that request. Each early response
 * is returned once.
 */
export function claimEarlyResponse({ method, url, headers }: Request): Promise<Response> | null {
  const calls = window.early;
  if (!calls) return null;
  if (performance.now() > MAX_AGE_MS) {
    window.early = undefined;
    return null;
  }
  const { pathname, search } = new URL(url);
  const at = calls.findIndex(
    (call) => method === 'GET' && call.url === pathname + search && headers.get('Authorization') === `Bearer ${call.token}`,
  );
  return calls.splice(at, at < 0 ? 0 : 1)[0]?.response ?? null;
}
