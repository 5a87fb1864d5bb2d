import { useState } from 'react';
import { exchangeOnce } from '../../parts/account/googleReturn.ts';
import { answer, client } from '../../shared/api/client.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { acceptLogin, updateIdentity } from '../../shared/api/session.ts';
import type { LinkUse } from '../../shared/api/types.ts';
import { deleteAddress, storedAddress } from '../../shared/browser/storedAddress.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';

/** Result of using a mailed link. `email` is the address to verify, if known. */
interface Pressed {
  outcome: LinkUse['outcome'] | 'signed_in';
  email: string | null;
}

/**
 * Exchanges the token in the response for a session. Returns false if that fails. The user then
 * signs in with the password.
 */
async function signIn(refreshToken: string): Promise<boolean> {
  const login = await exchangeOnce(refreshToken).catch(() => null);
  if (!login || sessionStore.get()) return false;
  deleteAddress();
  acceptLogin(login, false);
  return true;
}

/**
 * Uses a mailed link. In the browser that registered, it also signs the user in, unless a user is
 * already signed in.
 */
async function press(token: string): Promise<Pressed> {
  const before = sessionStore.get();
  const { outcome, email, refresh_token } = await answer(client.GET('/auth/verify-email', { params: { query: { token } } }));
  const known = { outcome, email: email ?? storedAddress() };
  if (!before) return refresh_token && (await signIn(refresh_token)) ? { ...known, outcome: 'signed_in' } : known;
  if (outcome === 'email_changed') {
    // A new address ends all sessions of its account. Requesting the profile shows whether this
    // session ended too.
    const profile = await answer(client.GET('/user/profile')).catch(() => null);
    if (profile) updateIdentity(profile.user);
  }
  return known;
}

/** Provides the action of the button on a mailed link's page. */
export function useVerifyLink(onPressed: (pressed: Pressed) => void) {
  const [pressed, setPressed] = useState<Pressed | null>(null);
  const { submit, sending, error } = useSubmission(async (token: string) => {
    const now = await press(token);
    setPressed(now);
    onPressed(now);
  });
  return { submit, sending, error, pressed };
}
