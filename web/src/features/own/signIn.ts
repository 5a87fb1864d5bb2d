import { exchangeOnce } from '../../parts/account/googleReturn.ts';
import { acceptLogin } from '../../shared/api/session.ts';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';

/** Exchanges a sign-in's start token for the session. The session ends with the browser's. */
export async function signInWithToken(refreshToken: string): Promise<void> {
  acceptLogin(await exchangeOnce(refreshToken), false);
}

/** Stores the address for the sign-in page to fill in. */
export const prefillSignIn = (email: string) => storePageMessage({ email });
