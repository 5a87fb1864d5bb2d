import { ApiError } from '../../shared/api/errors.ts';
import { errorText, hasText } from '../../shared/format/errorText.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/**
 * Returns the text of a failed sign-in as the specification requires: by error code, else by parts
 * of the message.
 */
export function loginErrorText(error: unknown): TextKey {
  if (!(error instanceof ApiError)) return 'auth.loginFailed';
  if (hasText(error.code)) return errorText(error, 'auth.loginFailed');
  const message = error.message.toLowerCase();
  if (message.includes('invalid') || message.includes('credentials')) return 'problem.invalidCredentials';
  if (message.includes('verify') || message.includes('email')) return 'problem.notVerified';
  return 'auth.loginFailed';
}
