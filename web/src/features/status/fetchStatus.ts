import type { paths } from '../../shared/api/schema.ts';

/** Public requests about the service. */
type Path = '/status' | '/status/history';
type Data<P extends Path> = paths[P]['get']['responses'][200]['content']['application/json']['data'];

/** Wait after which the server counts as not answering. */
const PATIENCE_MS = 20_000;

/**
 * Sends the request without a session, because the document needs neither the API client nor its
 * session. Throws without a response.
 */
export async function fetchStatus<P extends Path>(path: P): Promise<Data<P>> {
  const request = new Request(new URL(`/api/v1${path}`, location.origin), { signal: AbortSignal.timeout(PATIENCE_MS) });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return ((await response.json()) as { data: Data<P> }).data;
}
