/** A call that the app's document made before any code was there (app/documents/shell.js), and by whose token. */
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

/** What was asked for so long ago is not new any more. */
const GOOD_MS = 30_000;

/** The answer to this very request where the document has asked already, once. */
export function takeEarly({ method, url, headers }: Request): Promise<Response> | null {
  const calls = window.early;
  if (!calls) return null;
  if (performance.now() > GOOD_MS) {
    window.early = undefined;
    return null;
  }
  const { pathname, search } = new URL(url);
  const at = calls.findIndex(
    (call) => method === 'GET' && call.url === pathname + search && headers.get('Authorization') === `Bearer ${call.token}`,
  );
  return calls.splice(at, at < 0 ? 0 : 1)[0]?.response ?? null;
}
