import createClient from 'openapi-fetch';
import { ApiError, NETWORK_ERROR, RESPONSE_FORMAT_ERROR } from './errors.ts';
import { noteAnswer } from './pageBegin.ts';
import type { paths } from './schema.ts';

/** Sends a request and returns the response, or throws an `ApiError`. */
export type Send = (request: Request) => Promise<Response>;

interface Envelope<T> {
  success: boolean;
  data: T;
  error?: { code: string; message: string } | null;
}

/** Absolute, because `Request` takes no relative address outside of a browser. */
const BASE = `${typeof location === 'undefined' ? '' : location.origin}/api/v1`;
/** How long a response may take to begin; some calls wait for the portal, or gather much. */
const TIME_LIMIT_MS = 60_000;
const LONG_TIME_LIMIT_MS = 600_000;
const TAKES_LONG = /\/(schedules\/verify-credentials|user\/export)$/;

const isAbort = (error: unknown) => (error as { name?: unknown } | null)?.name === 'AbortError';

/** Where the answers are of calls that the document has made already: the app says it (early.ts), other documents make none. */
export const asked: { early?: (request: Request) => Promise<Response> | null } = {};

/** Sends `request`, and gives it up after the time limit. Without a response it throws `NETWORK_ERROR`, or the caller's abort. */
export async function send(request: Request): Promise<Response> {
  const limit = new AbortController();
  const limitMs = TAKES_LONG.test(request.url) ? LONG_TIME_LIMIT_MS : TIME_LIMIT_MS;
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    const early = asked.early?.(request);
    const response = await (early ?? fetch(request, { signal: AbortSignal.any([request.signal, limit.signal]) }));
    noteAnswer(response);
    return response;
  } catch (error) {
    if (isAbort(error) && !limit.signal.aborted) throw error;
    throw new ApiError(NETWORK_ERROR, 'Network error. Please try again.', 0);
  } finally {
    clearTimeout(timer);
  }
}

/** The envelope of a response that is not read any further; null where there is none. */
export const envelopeOf = (response: Response) => response.json().catch(() => null) as Promise<Envelope<unknown> | null>;

/** A response that is not a success, as an error. */
async function failure(response: Response): Promise<ApiError> {
  const envelope = await envelopeOf(response);
  return new ApiError(
    envelope?.error?.code ?? 'HTTP_ERROR',
    envelope?.error?.message ?? (response.statusText || 'Unexpected response format'),
    response.status,
    envelope?.data ?? null,
    Number(response.headers.get('Retry-After')) || null,
  );
}

/** A typed client of the API whose requests go through `through`. Its calls throw an `ApiError` unless they succeed. */
export function clientThrough(through: Send) {
  const client = createClient<paths>({ baseUrl: BASE, headers: { Accept: 'application/json' }, fetch: through });
  client.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await failure(response);
    },
  });
  return client;
}

const formatError = () => new ApiError(RESPONSE_FORMAT_ERROR, 'Unexpected response format', 200);

/** The data within the envelope of a call. */
export async function answer<T>(call: Promise<{ data?: Envelope<T> }>): Promise<T> {
  const { data } = await call.catch((error: unknown) => {
    throw error instanceof ApiError || isAbort(error) ? error : formatError();
  });
  if (!data?.success) throw formatError();
  return data.data;
}

/** The body of a call that answers a file or a text. */
export async function body<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined || data === null) throw formatError();
  return data;
}
