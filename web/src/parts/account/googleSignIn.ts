import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { leadingTo, nextOf } from '../../shared/routing/origin.ts';

const KEY = 'sooner.google';

/** Data that this browser stores while the user is at Google. */
export interface GoogleRequest {
  purpose: 'sign_in' | 'step_up' | 'link';
  rememberMe: boolean;
  /** Target of the sign-in, or the page that a step-up returns to. */
  returnTo: string | null;
}

function storeGoogleRequest(departure: GoogleRequest): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(departure));
  } catch {
    // Without storage the return counts as a session-only sign-in.
  }
}

/** Returns the stored departure, or a session-only sign-in without one. */
export function readGoogleRequest(): GoogleRequest {
  const fresh: GoogleRequest = { purpose: 'sign_in', rememberMe: false, returnTo: null };
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as Partial<GoogleRequest> | null;
    const returnTo = stored?.returnTo ? nextOf(leadingTo('', stored.returnTo)) : null;
    return { ...fresh, ...stored, returnTo };
  } catch {
    return fresh;
  }
}

/** Deletes the departure once the return is handled. */
export function deleteGoogleRequest(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Nothing was stored.
  }
}

/** Requests Google's address from the server. An invalid address is an error of its own. */
async function googleAddress(departure: GoogleRequest, language: Language): Promise<string> {
  const { purpose, rememberMe } = departure;
  const body = purpose !== 'sign_in' ? { language, purpose } : { language, purpose, rememberMe };
  const google = await answer(client.POST('/auth/google/login', { body }));
  if (!/^https?:\/\//i.test(google?.auth_url ?? ''))
    throw new ApiError('GOOGLE_OAUTH_ERROR', 'Failed to get Google OAuth URL', 200);
  storeGoogleRequest(departure);
  return google.auth_url;
}

/**
 * Navigates to Google. The return page continues from there. Rejects if the server gives no
 * address.
 */
export async function goToGoogle(departure: GoogleRequest, language: Language): Promise<void> {
  window.location.assign(await googleAddress(departure, language));
}

/** Returns whether this is WeChat's browser, in which Google refuses sign-ins. */
export function inWeChat(): boolean {
  return /MicroMessenger/i.test(navigator.userAgent);
}
