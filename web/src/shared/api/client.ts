import { ApiError, STEP_UP_DECLINED } from './errors.ts';
import { sessionStore } from './identity.ts';
import { onLogout, refreshSession } from './session.ts';
import { answerStepUp, askStepUp } from './stepUp.ts';
import { accessToken, loadSession } from './tokens.ts';
import { clientThrough, envelopeOf, send } from './wire.ts';

// biome-ignore lint/performance/noBarrelFile: a call and its answer are imported together
export { answer, body } from './wire.ts';

/** A 401 from these is an answer about what was typed, not about the session. */
const NO_REFRESH = /\/auth\/(login|register|refresh|logout)$/;

onLogout(() => answerStepUp(false));

/** Sends a copy, so that `request` can be repeated. */
function sendWith(token: string | null, request: Request): Promise<Response> {
  const copy = request.clone();
  if (token) copy.headers.set('Authorization', `Bearer ${token}`);
  return send(copy);
}

/** Sends a call as the person who is signed in, with a fresh token where the old one is over. */
async function sendAsPerson(request: Request): Promise<Response> {
  const token = accessToken.get();
  const person = sessionStore.get()?.id;
  const response = await sendWith(token, request);
  const mayRefresh = !NO_REFRESH.test(new URL(request.url).pathname) && (token !== null || loadSession() !== null);
  // Only for the same person: what one meant to do must not be done in the name of whoever signed in meanwhile.
  if (response.status === 401 && mayRefresh && (await refreshSession(token)) && sessionStore.get()?.id === person)
    return sendWith(accessToken.get(), request);
  return response;
}

/**
 * The same; where the server wants to know again who it is, the person is asked and the call repeated once.
 * A call with a token of its own is sent once, as it is.
 */
async function sendProven(request: Request): Promise<Response> {
  if (request.headers.has('Authorization')) return send(request);
  const person = sessionStore.get()?.id;
  const response = await sendAsPerson(request);
  if (response.status !== 403) return response;
  const envelope = await envelopeOf(response.clone());
  if (envelope?.error?.code !== 'STEP_UP_REQUIRED') return response;
  const proven = await askStepUp(envelope.data);
  if (!proven || sessionStore.get()?.id !== person)
    throw new ApiError(STEP_UP_DECLINED, 'Not confirmed, nothing was changed', 403);
  return sendAsPerson(request);
}

/** The API as the signed-in person: `answer(client.GET('/users/credit'))`. */
export const client = clientThrough(sendProven);

/** Makes a call repeatable: the server does it once for each key. */
export const once = (key: string) => ({ header: { 'Idempotency-Key': key } });
