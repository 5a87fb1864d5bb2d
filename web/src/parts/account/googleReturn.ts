import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { requestRefresh } from '../../shared/api/session.ts';
import type { LoginAnswer } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Result that the address of the return page contains. */
export type GoogleReturn =
  | { kind: 'sign_in'; refreshToken: string; isNew: boolean }
  | { kind: 'step_up'; needsCode: boolean }
  | { kind: 'linked' }
  | { kind: 'failed'; error: string };

const PROFILE_TRIES = 3;

/**
 * Returns whether a text is a JWT with readable claims. It ignores the times of the token, because
 * the device's clock may be wrong.
 */
function isReadableToken(token: string): boolean {
  try {
    const claims = (token.split('.')[1] ?? '').replace(/-/g, '+').replace(/_/g, '/');
    const bytes = Uint8Array.from(atob(claims), (letter) => letter.charCodeAt(0));
    const read: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return token.split('.').length === 3 && typeof read === 'object' && read !== null;
  } catch {
    return false;
  }
}

/** Parses the query parameters with which Google's sign-in returns to this page. */
export function readReturn(search: URLSearchParams): GoogleReturn {
  const error = search.get('error');
  if (error !== null) return { kind: 'failed', error };
  const refreshToken = search.get('refresh_token');
  const token = search.get('token');
  if (search.get('success') !== 'true') return { kind: 'failed', error: 'parameters' };
  if (search.get('step_up') === 'true') return { kind: 'step_up', needsCode: search.get('code') === 'true' };
  if (search.get('linked') === 'true') return { kind: 'linked' };
  if (!token || !refreshToken) return { kind: 'failed', error: 'parameters' };
  const isNew = search.get('is_new_user') === 'true';
  return isReadableToken(token) ? { kind: 'sign_in', refreshToken, isNew } : { kind: 'failed', error: 'unreadable_token' };
}

async function exchange(refreshToken: string, code?: string): Promise<LoginAnswer> {
  const tokens = await requestRefresh(refreshToken, code);
  for (let tried = 1; ; tried += 1) {
    try {
      const headers = { Authorization: `Bearer ${tokens.access_token}` };
      return { ...tokens, ...(await answer(client.GET('/user/profile', { headers }))) };
    } catch {
      // Without the profile the sign-in cannot be completed, and the token in the address works
      // only once. The user has to start again.
      if (tried === PROFILE_TRIES) throw new ApiError('GOOGLE_PROFILE', 'The profile could not be read', 200);
    }
  }
}

const begun = new Map<string, Promise<LoginAnswer>>();

/**
 * Returns whether the token of a failed request is still valid, so that the request can be
 * repeated.
 */
const mayRepeat = (error: unknown) =>
  error instanceof ApiError &&
  (error.status === 0 || error.status === 429 || error.code === 'TOTP_REQUIRED' || error.code === 'TOTP_INVALID');

/**
 * Exchanges the token in the address for a session. Repeated calls share one request. After a
 * network failure, or with another `code` of the second factor, it sends a new one.
 */
export function exchangeOnce(refreshToken: string, code?: string): Promise<LoginAnswer> {
  const running = begun.get(refreshToken);
  if (running) return running;
  const fresh = exchange(refreshToken, code);
  begun.set(refreshToken, fresh);
  fresh.catch((error: unknown) => {
    if (mayRepeat(error)) begun.delete(refreshToken);
  });
  return fresh;
}

/** Completes a proof of identity that began at Google, with a code of the second factor. */
export async function proveWithCode(code: string): Promise<void> {
  try {
    await answer(client.POST('/auth/step-up', { body: { totp_code: code } }));
  } catch (error) {
    const fields = error instanceof ApiError ? (error.data as { fields?: Record<string, string> } | null)?.fields : undefined;
    // The server requests the password if the proof at Google has expired.
    if (fields?.password) throw new ApiError('INVALID_REFRESH_TOKEN', 'The proof at Google is too old', 401);
    if (fields?.totp_code) throw new ApiError('TOTP_INVALID', 'The code is wrong', 401);
    throw error;
  }
}

/** Returns whether the sign-in at Google had expired when the user entered the code. */
export const isTooLate = (error: unknown) => error instanceof ApiError && error.code === 'INVALID_REFRESH_TOKEN';

const texts: Record<string, TextKey> = {
  missing_code: 'auth.callbackMissingCode',
  access_denied: 'auth.callbackDenied',
  state_mismatch: 'auth.callbackMismatch',
  expired: 'auth.callbackExpired',
  provider_unavailable: 'auth.callbackProvider',
  email_unverified: 'auth.callbackUnverified',
  invalid_token: 'auth.callbackToken',
  unreadable_token: 'auth.callbackToken',
  step_up_mismatch: 'auth.callbackStepUp',
  totp_required: 'auth.callbackTotp',
  link_first: 'auth.callbackLinkFirst',
  linked_elsewhere: 'auth.callbackLinkedElsewhere',
  another_linked: 'auth.callbackAnotherLinked',
  unavailable: 'problem.unavailable',
  parameters: 'auth.callbackParameters',
  profile: 'auth.callbackProfile',
  refused: 'auth.callbackMismatch',
  code_late: 'auth.callbackCodeLate',
  network: 'problem.network',
  registration_closed: 'problem.registrationClosed',
  REGISTRATION_CLOSED: 'problem.registrationClosed',
  unknown: 'auth.callbackFailed',
};

/**
 * Returns the text of an error code in the address. An unknown code is shown only if it is a plain
 * word, because any site can link to a crafted address.
 */
export function returnText(error: string): { key: TextKey; error: string } {
  const known = texts[error];
  if (known) return { key: known, error };
  return { key: /^[a-z0-9_]{1,40}$/i.test(error) ? 'auth.callbackError' : 'auth.callbackFailed', error };
}

/** Returns the error code for a failed exchange of the token. */
export function exchangeFailure(error: unknown): string {
  if (!(error instanceof ApiError)) return 'unknown';
  if (error.status === 0) return 'network';
  if (error.code === 'GOOGLE_PROFILE') return 'profile';
  if (error.code === 'TOTP_REQUIRED') return 'code';
  if (error.code === 'REGISTRATION_CLOSED') return 'registration_closed';
  return error.status === 401 || error.status === 403 ? 'refused' : 'unknown';
}
