import { exchangeOnce } from '../../parts/account/googleReturn.ts';
import { acceptLogin } from '../../shared/api/session.ts';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';

/** Exchanges the token of a sign-in for a session, which ends when the browser closes. */
export async function signInWithToken(refreshToken: string): Promise<void> {
  acceptLogin(await exchangeOnce(refreshToken), false);
}

/** Stores a mail address with which the sign-in page fills its field. */
export const prefillSignIn = (email: string) => storePageMessage({ email });
