import type { paths } from '../../shared/api/schema.ts';

/** What anybody may ask about the service. */
type Path = '/status' | '/status/history';
type Data<P extends Path> = paths[P]['get']['responses'][200]['content']['application/json']['data'];

/** Who waits longer than this is told that the server does not answer. */
const PATIENCE_MS = 20_000;

/** Asks as a stranger: the document needs neither the client of the API nor its session. Fails without an answer. */
export async function fetchStatus<P extends Path>(path: P): Promise<Data<P>> {
  const request = new Request(new URL(`/api/v1${path}`, location.origin), { signal: AbortSignal.timeout(PATIENCE_MS) });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return ((await response.json()) as { data: Data<P> }).data;
}
