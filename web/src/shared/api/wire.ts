import createClient from 'openapi-fetch';
import { ApiError, NETWORK_ERROR, RESPONSE_FORMAT_ERROR } from './errors.ts';
import { recordPageStart } from './pageStart.ts';
import type { paths } from './schema.ts';

/** Function that sends a request and returns the response, or throws an `ApiError`. */
export type Send = (request: Request) => Promise<Response>;

interface Envelope<T> {
  success: boolean;
  data: T;
  error?: { code: string; message: string } | null;
}

/**
 * Address of the API. It is absolute, because outside of browsers `Request` accepts no relative
 * address.
 */
const BASE = `${typeof location === 'undefined' ? '' : location.origin}/api/v1`;
/**
 * Longest wait for the start of a response. Some requests take long, because the server waits for
 * the portal or collects much data.
 */
const TIME_LIMIT_MS = 60_000;
const LONG_TIME_LIMIT_MS = 600_000;
const TAKES_LONG = /\/(schedules\/verify-credentials|user\/export)$/;

const isAbort = (error: unknown) => (error as { name?: unknown } | null)?.name === 'AbortError';

/**
 * Hook that returns the response to a request that the document has already sent. Only the app sets
 * it (early.ts).
 */
export const requestHooks: { early?: (request: Request) => Promise<Response> | null } = {};

/**
 * Sends `request` and aborts it after the time limit. If no response arrives, it throws
 * `NETWORK_ERROR`. If the caller aborts, it throws that abort.
 */
export async function send(request: Request): Promise<Response> {
  const limit = new AbortController();
  const limitMs = TAKES_LONG.test(request.url) ? LONG_TIME_LIMIT_MS : TIME_LIMIT_MS;
  const timer = setTimeout(() => limit.abort(), limitMs);
  try {
    const early = requestHooks.early?.(request);
    const response = await (early ?? fetch(request, { signal: AbortSignal.any([request.signal, limit.signal]) }));
    recordPageStart(response);
    return response;
  } catch (error) {
    if (isAbort(error) && !limit.signal.aborted) throw error;
    throw new ApiError(NETWORK_ERROR, 'Network error. Please try again.', 0);
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the envelope of a response, or null if the body is not JSON. It consumes the body. */
export const envelopeOf = (response: Response) => response.json().catch(() => null) as Promise<Envelope<unknown> | null>;

/** Converts an unsuccessful response into an error. */
async function toApiError(response: Response): Promise<ApiError> {
  const envelope = await envelopeOf(response);
  return new ApiError(
    envelope?.error?.code ?? 'HTTP_ERROR',
    envelope?.error?.message ?? (response.statusText || 'Unexpected response format'),
    response.status,
    envelope?.data ?? null,
    Number(response.headers.get('Retry-After')) || null,
  );
}

/**
 * Creates a typed API client that sends requests with `through`. Its calls throw an `ApiError` for
 * unsuccessful responses.
 */
export function clientThrough(through: Send) {
  const client = createClient<paths>({ baseUrl: BASE, headers: { Accept: 'application/json' }, fetch: through });
  client.use({
    onResponse: async ({ response }) => {
      if (!response.ok) throw await toApiError(response);
    },
  });
  return client;
}

const formatError = () => new ApiError(RESPONSE_FORMAT_ERROR, 'Unexpected response format', 200);

/** Returns the data of a response, without its envelope. */
export async function answer<T>(call: Promise<{ data?: Envelope<T> }>): Promise<T> {
  const { data } = await call.catch((error: unknown) => {
    throw error instanceof ApiError || isAbort(error) ? error : formatError();
  });
  if (!data?.success) throw formatError();
  return data.data;
}

/** Returns the body of a response that is a file or a text. */
export async function body<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  if (data === undefined || data === null) throw formatError();
  return data;
}
