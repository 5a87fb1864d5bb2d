import { forgetOrigin } from '../routing/origin.ts';
import { answer, client } from './client.ts';
import { endSession } from './session.ts';
import { loadSession } from './tokens.ts';

/** Signs the user out in all tabs at once. The request to the server runs in the background. */
export function signOut(): void {
  const body = { refresh_token: loadSession()?.refreshToken };
  answer(client.POST('/auth/logout', { body, keepalive: true })).catch(() => undefined);
  forgetOrigin('signedOut');
  endSession();
}
