import { ApiError } from '../api/errors.ts';

/** Returns whether this browser can use passkeys. False while a document is prerendered. */
export const hasPasskeys = (): boolean => typeof window !== 'undefined' && 'PublicKeyCredential' in window;

type Library = typeof import('@simplewebauthn/browser');
type CreationOptions = Parameters<Library['startRegistration']>[0]['optionsJSON'];
type RequestOptions = Parameters<Library['startAuthentication']>[0]['optionsJSON'];

/** Converts an error of the browser to one with a text. */
function readable(error: unknown): unknown {
  const { name } = error as Error;
  // The user closed the browser's prompt, or waited too long. Browsers do not distinguish the two.
  if (name === 'NotAllowedError' || name === 'AbortError') return new ApiError('PASSKEY_CANCELLED', 'Cancelled', 0);
  if (name === 'InvalidStateError') return new ApiError('PASSKEY_KNOWN', 'This device has a passkey already', 0);
  return error;
}

/** Creates a passkey with the options of the server. Returns the browser's answer. */
export async function createPasskey(options: unknown): Promise<unknown> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  try {
    return await startRegistration({ optionsJSON: options as CreationOptions });
  } catch (error) {
    throw readable(error);
  }
}

/** Signs the challenge of the server with a passkey. Returns the browser's answer. */
export async function signWithPasskey(options: unknown): Promise<unknown> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  try {
    return await startAuthentication({ optionsJSON: options as RequestOptions });
  } catch (error) {
    throw readable(error);
  }
}
