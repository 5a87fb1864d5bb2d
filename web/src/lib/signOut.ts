import { api } from '../api/calls.ts';
import { endSession } from '../api/session.ts';
import { forgetOrigin } from '../routes/origin.ts';

/** Tells the server and forgets the session here, whether or not the server could be told. */
export async function signOut(): Promise<void> {
  await api.logout().catch(() => undefined);
  forgetOrigin('signedOut');
  endSession();
}
