import { exchangeOnce } from '../../parts/account/googleReturn.ts';
import { acceptLogin } from '../../shared/api/session.ts';
import { leaveNote } from '../../shared/browser/note.ts';

/** Exchanges a sign-in's start token for the session. The session ends with the browser's. */
export async function enter(refreshToken: string): Promise<void> {
  acceptLogin(await exchangeOnce(refreshToken), false);
}

/** Stores the address for the sign-in page to fill in. */
export const signInAs = (email: string) => leaveNote({ email });
