import { ApiError, NETWORK_ERROR } from './errors.ts';
import { refreshSession, sessionStore } from './session.ts';
import { accessToken, loadSession } from './tokens.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
type Query = Record<string, string | number | undefined>;

interface Options {
  body?: unknown;
  query?: Query;
  idempotencyKey?: string;
  signal?: AbortSignal;
  keepalive?: boolean;
  /** A token to use instead of the session's; such a call is never repeated. */
  bearer?: string;
}

interface Envelope<T> {
  success: boolean;
  data: T | null;
  error: { code: string; message: string } | null;
}

const BASE = '/api/v1';
/** A 401 from these is an answer about what was typed, not about the session. */
const NO_REFRESH = ['/auth/login', '/auth/register', '/auth/refresh', '/auth/logout'];

function address(path: string, query?: Query): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(key, String(value));
  const text = search.toString();
  return `${BASE}${path}${text ? `?${text}` : ''}`;
}

function send(method: Method, path: string, options: Options, token: string | null): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.idempotencyKey) headers['Idempotency-Key'] = options.idempotencyKey;
  return fetch(address(path, options.query), {
    method,
    headers,
    body: options.body === undefined ? undefined : JSON.stringify(options.body),
    signal: options.signal,
    keepalive: options.keepalive,
  }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(NETWORK_ERROR, 'Network error. Please try again.', 0);
  });
}

/** One call of the API: unwraps the envelope, refreshes once on 401, throws `ApiError` otherwise. */
export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const token = options.bearer ?? accessToken.get();
  const person = sessionStore.get()?.id;
  let response = await send(method, path, options, token);
  const mayRefresh = !options.bearer && !NO_REFRESH.includes(path) && (token !== null || loadSession() !== null);
  // Only for the same person: what one meant to do must not be done in the name of whoever signed in meanwhile.
  if (response.status === 401 && mayRefresh && (await refreshSession(token)) && sessionStore.get()?.id === person) {
    response = await send(method, path, options, accessToken.get());
  }
  const envelope = (await response.json().catch(() => null)) as Envelope<T> | null;
  if (response.ok && envelope?.success) return envelope.data as T;
  const retryAfter = Number(response.headers.get('Retry-After')) || null;
  throw new ApiError(
    envelope?.error?.code ?? (response.ok ? 'RESPONSE_FORMAT_ERROR' : 'HTTP_ERROR'),
    envelope?.error?.message ?? (response.statusText || 'Unexpected response format'),
    response.status,
    envelope?.data ?? null,
    retryAfter,
  );
}
