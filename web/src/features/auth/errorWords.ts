import { ApiError } from '../../shared/api/errors.ts';
import { errorWords, hasWords } from '../../shared/format/errorWords.ts';
import type { Words } from '../../shared/i18n/words.ts';

/**
 * Returns the text of a sign-in failure as the spec maps it: by code, then by parts of the message.
 */
export function loginErrorWords(error: unknown): Words {
  if (!(error instanceof ApiError)) return 'auth.loginFailed';
  if (hasWords(error.code)) return errorWords(error, 'auth.loginFailed');
  const message = error.message.toLowerCase();
  if (message.includes('invalid') || message.includes('credentials')) return 'problem.invalidCredentials';
  if (message.includes('verify') || message.includes('email')) return 'problem.notVerified';
  return 'auth.loginFailed';
}
