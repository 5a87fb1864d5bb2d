import { ApiError } from '../../shared/api/errors.ts';
import { errorWords, hasWords } from '../../shared/format/errorWords.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** Sign-in failures as the spec maps them: by code, then by what the message contains. */
export function loginErrorWords(error: unknown): Words {
  if (!(error instanceof ApiError)) return 'auth.loginFailed';
  if (hasWords(error.code)) return errorWords(error, 'auth.loginFailed');
  const message = error.message.toLowerCase();
  if (message.includes('invalid') || message.includes('credentials')) return 'problem.invalidCredentials';
  if (message.includes('verify') || message.includes('email')) return 'problem.notVerified';
  return 'auth.loginFailed';
}
