import { exchangeOnce } from '../../parts/account/googleReturn.ts';
import { acceptLogin } from '../../shared/api/session.ts';
import { leaveNote } from '../../shared/browser/note.ts';

/** Trades the beginning of a sign-in for the sign-in itself. It ends with the browser's session. */
export async function enter(refreshToken: string): Promise<void> {
  acceptLogin(await exchangeOnce(refreshToken), false);
}

/** Leaves the address for the sign-in page to fill in. */
export const signInAs = (email: string) => leaveNote({ email });
