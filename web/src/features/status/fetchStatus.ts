import type { paths } from '../../shared/api/schema.ts';

/** Paths of the public requests about the service. */
type Path = '/status' | '/status/history';
type Data<P extends Path> = paths[P]['get']['responses'][200]['content']['application/json']['data'];

/** Longest wait for a response. */
const PATIENCE_MS = 20_000;

/**
 * Sends the request without a session, so that the document does not need the API client. Throws if
 * there is no valid response.
 */
export async function fetchStatus<P extends Path>(path: P): Promise<Data<P>> {
  const request = new Request(new URL(`/api/v1${path}`, location.origin), { signal: AbortSignal.timeout(PATIENCE_MS) });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return ((await response.json()) as { data: Data<P> }).data;
}
