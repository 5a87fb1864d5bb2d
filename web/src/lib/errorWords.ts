import { ApiError, NETWORK_ERROR } from '../api/errors.ts';
import type { Words } from '../i18n/words.ts';

const byCode: Record<string, Words> = {
  [NETWORK_ERROR]: 'problem.network',
  RESPONSE_FORMAT_ERROR: 'problem.format',
  TOO_MANY_ATTEMPTS: 'problem.tooMany',
  VALIDATION_FAILED: 'problem.validation',
  UNAVAILABLE: 'problem.unavailable',
  INTERNAL: 'auth.unexpected',
  GOOGLE_OAUTH_ERROR: 'auth.googleNoUrl',
  GOOGLE_NOT_CONFIGURED: 'auth.googleNotConfigured',
  INVALID_CREDENTIALS: 'auth.invalidCredentials',
  EMAIL_NOT_VERIFIED: 'auth.notVerified',
  INVALID_TOKEN: 'auth.tokenInvalid',
  TOKEN_EXPIRED: 'auth.tokenExpired',
  TOPUP_CODE_INVALID: 'topup.unknown',
  TOPUP_CODE_USED: 'topup.used',
  TOPUP_CODE_EXPIRED: 'topup.expired',
  PORTAL_CREDENTIALS_REJECTED: 'verify.rejected',
  PORTAL_ACCOUNT_LOCKED: 'verify.locked',
  PORTAL_CAPTCHA: 'verify.captcha',
  PORTAL_UNAVAILABLE: 'verify.unavailable',
  PORTAL_LAYOUT_CHANGED: 'verify.layout',
  VERIFY_LIMIT: 'verify.limit',
  COUNTRY_NOT_SUPPORTED: 'verify.country',
  SCHEDULE_ALREADY_EXISTS: 'verify.takenOther',
  ILLEGAL_TRANSITION: 'task.illegal',
  INSUFFICIENT_CREDIT: 'submit.insufficientTitle',
  PRICE_CHANGED: 'submit.priceChangedRetry',
  STEP_UP_DECLINED: 'stepUp.declined',
  ACCOUNT_BUSY: 'portalAccounts.busy',
  NOT_FOUND: 'task.gone',
};

/** The words for a failure: by code; `fallback` where the code says nothing to people. */
export function errorWords(error: unknown, fallback: Words): Words {
  return error instanceof ApiError ? (byCode[error.code] ?? fallback) : fallback;
}

const configureFields: Record<string, Words> = {
  not_selectable: 'wizard.notSelectable',
  not_of_this_schedule: 'wizard.notOfThisAccount',
};

/** Why a task's conditions were not taken: by the code of the field the server names, else by the error's own. */
export function configureErrorWords(error: unknown): Words {
  const fields = error instanceof ApiError ? (error.data as { fields?: Record<string, string> } | null)?.fields : null;
  return configureFields[fields?.selected_appointments ?? ''] ?? errorWords(error, 'problem.generic');
}

/**
 * The server's own sentence, for a failure whose code says nothing to us: shown only in its own language, and not for
 * a network that failed.
 */
export function serverWords(error: unknown, language: 'en' | 'zh'): string | null {
  if (!(error instanceof ApiError) || error.status === 0 || error.code in byCode || error.code === 'HTTP_ERROR') return null;
  const chinese = /\p{Script=Han}/u.test(error.message);
  return error.message && chinese === (language === 'zh') ? error.message : null;
}

/** Sign-in failures as the spec maps them: by code, then by what the message contains. */
export function loginErrorWords(error: unknown): Words {
  if (!(error instanceof ApiError)) return 'auth.loginFailed';
  const known = byCode[error.code];
  if (known) return known;
  const message = error.message.toLowerCase();
  if (message.includes('invalid') || message.includes('credentials')) return 'auth.invalidCredentials';
  if (message.includes('verify') || message.includes('email')) return 'auth.notVerified';
  return 'auth.loginFailed';
}

/** Top-up failures: by code, then by the messages of the spec. */
export function topupErrorWords(error: unknown): Words {
  if (!(error instanceof ApiError)) return 'topup.failed';
  const known = byCode[error.code];
  if (known) return known;
  const message = error.message.toLowerCase();
  if (message.includes('already been used')) return 'topup.used';
  if (message.includes('expired')) return 'topup.expired';
  if (message.includes('invalid') || message.includes('not found')) return 'topup.unknown';
  return 'topup.failed';
}
