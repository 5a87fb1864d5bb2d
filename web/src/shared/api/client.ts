import { ApiError, NETWORK_ERROR, STEP_UP_DECLINED } from './errors.ts';
import { sessionStore } from './identity.ts';
import { onLogout, refreshSession } from './session.ts';
import { answerStepUp, askStepUp } from './stepUp.ts';
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
  /** What is taken besides JSON. */
  accept?: string;
}

interface Envelope<T> {
  success: boolean;
  data: T | null;
  error: { code: string; message: string } | null;
}

const BASE = '/api/v1';
/** A 401 from these is an answer about what was typed, not about the session. */
const NO_REFRESH = ['/auth/login', '/auth/register', '/auth/refresh', '/auth/logout'];

onLogout(() => answerStepUp(false));

function address(path: string, query?: Query): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query ?? {})) if (value !== undefined) search.set(key, String(value));
  const text = search.toString();
  return `${BASE}${path}${text ? `?${text}` : ''}`;
}

function send(method: Method, path: string, options: Options, token: string | null): Promise<Response> {
  const headers: Record<string, string> = { Accept: options.accept ? `${options.accept}, application/json` : 'application/json' };
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

const envelopeOf = <T>(response: Response) => response.json().catch(() => null) as Promise<Envelope<T> | null>;

function failure(response: Response, envelope: Envelope<unknown> | null): ApiError {
  return new ApiError(
    envelope?.error?.code ?? (response.ok ? 'RESPONSE_FORMAT_ERROR' : 'HTTP_ERROR'),
    envelope?.error?.message ?? (response.statusText || 'Unexpected response format'),
    response.status,
    envelope?.data ?? null,
    Number(response.headers.get('Retry-After')) || null,
  );
}

/** Sends a call as the person who is signed in, with a fresh token where the old one is over. */
async function sendAsPerson(method: Method, path: string, options: Options): Promise<Response> {
  const token = options.bearer ?? accessToken.get();
  const person = sessionStore.get()?.id;
  const response = await send(method, path, options, token);
  const mayRefresh = !options.bearer && !NO_REFRESH.includes(path) && (token !== null || loadSession() !== null);
  // Only for the same person: what one meant to do must not be done in the name of whoever signed in meanwhile.
  if (response.status === 401 && mayRefresh && (await refreshSession(token)) && sessionStore.get()?.id === person)
    return send(method, path, options, accessToken.get());
  return response;
}

/** The same; where the server wants to know again who it is, the person is asked and the call repeated once. */
async function sendProven(method: Method, path: string, options: Options): Promise<Response> {
  const person = sessionStore.get()?.id;
  const response = await sendAsPerson(method, path, options);
  if (response.status !== 403 || options.bearer) return response;
  const envelope = await envelopeOf(response.clone());
  if (envelope?.error?.code !== 'STEP_UP_REQUIRED') return response;
  const proven = await askStepUp(envelope.data);
  if (!proven || sessionStore.get()?.id !== person)
    throw new ApiError(STEP_UP_DECLINED, 'Not confirmed, nothing was changed', 403);
  return sendAsPerson(method, path, options);
}

/** One call of the API: unwraps the envelope, refreshes once on 401, asks for a proof on STEP_UP_REQUIRED, throws `ApiError` otherwise. */
export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const response = await sendProven(method, path, options);
  const envelope = await envelopeOf<T>(response);
  if (response.ok && envelope?.success) return envelope.data as T;
  throw failure(response, envelope);
}

/** One call that answers a file; the caller reads the body. */
export async function requestFile(method: Method, path: string, options: Options): Promise<Response> {
  const response = await sendProven(method, path, options);
  if (!response.ok) throw failure(response, await envelopeOf(response));
  return response;
}
