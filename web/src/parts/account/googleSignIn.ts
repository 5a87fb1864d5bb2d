import { answer, client } from '../../shared/api/client.ts';
import { ApiError } from '../../shared/api/errors.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { leadingTo, nextOf } from '../../shared/routing/origin.ts';

const KEY = 'sooner.google';

/** Data that this browser stores while the user signs in at Google. */
export interface GoogleRequest {
  purpose: 'sign_in' | 'step_up' | 'link';
  rememberMe: boolean;
  /** Page to open afterwards. */
  returnTo: string | null;
}

function storeGoogleRequest(departure: GoogleRequest): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(departure));
  } catch {
    // Storage is blocked. The returning user is then signed in without *remember me*.
  }
}

/** Returns the stored request. Without one it returns a sign-in without *remember me*. */
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

/** Deletes the stored request, after the user has returned from Google. */
export function deleteGoogleRequest(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}

/** Requests the address of Google's sign-in from the server. Throws if the address is invalid. */
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
 * Navigates to Google, which later returns to the return page of the app. Rejects if the server
 * provides no address.
 */
export async function goToGoogle(departure: GoogleRequest, language: Language): Promise<void> {
  window.location.assign(await googleAddress(departure, language));
}

/** Returns whether the page is open in WeChat's browser, in which Google refuses sign-ins. */
export function inWeChat(): boolean {
  return /MicroMessenger/i.test(navigator.userAgent);
}
