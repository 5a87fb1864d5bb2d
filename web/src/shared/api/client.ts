import { ApiError, STEP_UP_DECLINED } from './errors.ts';
import { sessionStore } from './identity.ts';
import { onLogout, refreshSession } from './session.ts';
import { promptStepUp, settleStepUp } from './stepUp.ts';
import { accessToken, loadSession } from './tokens.ts';
import { clientThrough, envelopeOf, send } from './wire.ts';

// biome-ignore lint/performance/noBarrelFile: a request and its answer are imported together
export { answer, body } from './wire.ts';

/** Paths whose 401 response means wrong input. It does not mean that the session has expired. */
const NO_REFRESH = /\/auth\/(login|register|refresh|logout)$/;

onLogout(() => settleStepUp(false));

/** Sends a copy, so that `request` can be sent again. */
function sendWith(token: string | null, request: Request): Promise<Response> {
  const copy = request.clone();
  if (token) copy.headers.set('Authorization', `Bearer ${token}`);
  return send(copy);
}

/** Sends a request as the signed-in user, with a new token if the old one has expired. */
async function sendAsUser(request: Request): Promise<Response> {
  const token = accessToken.get();
  const userId = sessionStore.get()?.id;
  const response = await sendWith(token, request);
  const mayRefresh = !NO_REFRESH.test(new URL(request.url).pathname) && (token !== null || loadSession() !== null);
  // Repeats the request only if the same user is still signed in. Another user may have signed in
  // during the request.
  if (response.status === 401 && mayRefresh && (await refreshSession(token)) && sessionStore.get()?.id === userId)
    return sendWith(accessToken.get(), request);
  return response;
}

/**
 * Sends a request as the signed-in user. If the server requires a proof of identity, the user is
 * prompted, and the request is repeated once. A request with its own `Authorization` header is sent
 * once, unchanged.
 */
async function sendProven(request: Request): Promise<Response> {
  if (request.headers.has('Authorization')) return send(request);
  const userId = sessionStore.get()?.id;
  const response = await sendAsUser(request);
  if (response.status !== 403) return response;
  const envelope = await envelopeOf(response.clone());
  if (envelope?.error?.code !== 'STEP_UP_REQUIRED') return response;
  const proven = await promptStepUp(envelope.data);
  if (!proven || sessionStore.get()?.id !== userId)
    throw new ApiError(STEP_UP_DECLINED, 'Not confirmed, nothing was changed', 403);
  return sendAsUser(request);
}

/** The API client of the signed-in user: `answer(client.GET('/users/credit'))`. */
export const client = clientThrough(sendProven);

/**
 * Returns the header with an idempotency key. The server executes requests with the same key once.
 */
export const idempotent = (key: string) => ({ header: { 'Idempotency-Key': key } });
