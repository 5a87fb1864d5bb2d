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
  VERIFY_LOGINS_LIMIT: 'verify.limitDay',
  VERIFY_BUSY: 'verify.busy',
  PORTAL_PAUSED: 'verify.paused',
  COUNTRY_NOT_SUPPORTED: 'verify.country',
  SCHEDULE_ALREADY_EXISTS: 'verify.takenOther',
  ILLEGAL_TRANSITION: 'task.illegal',
  INSUFFICIENT_CREDIT: 'submit.insufficientTitle',
  PRICE_CHANGED: 'submit.priceChangedRetry',
  CARD_NOT_CONFIGURED: 'card.unavailable',
  CARD_PROVIDER_UNAVAILABLE: 'card.systemUnavailable',
  INVALID_SIGNATURE: 'problem.generic',
  STEP_UP_DECLINED: 'stepUp.declined',
  ACCOUNT_BUSY: 'portalAccounts.busy',
  NOT_FOUND: 'task.gone',
  INVALID_BODY: 'problem.body',
  INVALID_QUERY: 'problem.body',
  BODY_TOO_LARGE: 'problem.tooLarge',
  REQUEST_TIMEOUT: 'problem.network',
  UNSUPPORTED_MEDIA_TYPE: 'problem.body',
  METHOD_NOT_ALLOWED: 'problem.body',
  UNAUTHORIZED: 'problem.signedOut',
  INVALID_REFRESH_TOKEN: 'problem.sessionOver',
  FORBIDDEN: 'problem.forbidden',
  TOTP_REQUIRED: 'problem.totpNeeded',
  TOTP_INVALID: 'problem.totpWrong',
  STEP_UP_REQUIRED: 'problem.confirmFirst',
  BALANCE_CHANGED: 'problem.balanceChanged',
  IDEMPOTENCY_KEY_REUSED: 'problem.twice',
  IDEMPOTENCY_IN_FLIGHT: 'problem.inFlight',
  MONEY_FROZEN: 'problem.moneyFrozen',
  PROMO_REFUSED: 'problem.promo',
  REFERRAL_REFUSED: 'problem.referral',
  ALREADY_RATED: 'problem.rated',
  SCHEDULE_CHANGED: 'problem.scheduleChanged',
};

/** The words for a failure: by code; `fallback` where the code says nothing to people. */
export function errorWords(error: unknown, fallback: Words): Words {
  return error instanceof ApiError ? (byCode[error.code] ?? fallback) : fallback;
}

const wishFields: Record<string, Words> = {
  'selected_appointments.not_selectable': 'wizard.notSelectable',
  'selected_appointments.not_of_this_schedule': 'wizard.notOfThisAccount',
  'end_date.end_before_start': 'editor.rangeInvalid',
  'end_date.in_the_past': 'editor.endPast',
  'end_date.window_too_long': 'editor.windowTooLong',
  'end_date.too_far': 'editor.tooFar',
  'last_attempt_until.too_far': 'editor.tooFar',
  'excluded_dates.end_before_start': 'editor.endBeforeStart',
  'excluded_dates.outside_window': 'editor.excludedOutside',
  'required_cities.required': 'editor.cityRequired',
  'required_cities.unknown_city': 'editor.cityRequired',
  'minimum_days_from_current.out_of_range': 'editor.minDaysInvalid',
  'min_improvement_days.out_of_range': 'editor.improvementInvalid',
  'max_reschedules.out_of_range': 'editor.reschedulesInvalid',
};

/** Why a task's conditions were not taken: by the field the server names and its code, else by the error's own. */
export function configureErrorWords(error: unknown, fallback: Words = 'problem.generic'): Words {
  const fields = error instanceof ApiError ? (error.data as { fields?: Record<string, string> } | null)?.fields : null;
  const named = Object.entries(fields ?? {}).map(([field, code]) => wishFields[`${field}.${code}`]);
  return named.find((words) => words !== undefined) ?? errorWords(error, fallback);
}

/** Whether a code of the server has words of its own. */
export const hasWords = (code: string) => code in byCode;

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

const topupCodes: Record<string, Words> = {
  TOPUP_CODE_INVALID: 'topup.unknown',
  TOPUP_CODE_USED: 'topup.used',
  TOPUP_CODE_EXPIRED: 'topup.expired',
  NOT_FOUND: 'topup.notFound',
  TOO_MANY_ATTEMPTS: 'problem.tooMany',
  MONEY_FROZEN: 'topup.frozen',
  [NETWORK_ERROR]: 'topup.network',
  UNAVAILABLE: 'topup.useFailed',
  INTERNAL: 'topup.useFailed',
};

const topupMessages: [string, Words][] = [
  ['already been used', 'topup.used'],
  ['expired', 'topup.expired'],
  ['not found', 'topup.notFound'],
  ['invalid', 'topup.unknown'],
  ['failed to use', 'topup.useFailed'],
  ['network error', 'topup.network'],
];

/** Top-up failures: by code, then by the messages of the spec. */
export function topupErrorWords(error: unknown): Words {
  if (!(error instanceof ApiError)) return 'topup.failed';
  const known = topupCodes[error.code];
  if (known) return known;
  const message = error.message.toLowerCase();
  return topupMessages.find(([part]) => message.includes(part))?.[1] ?? 'topup.failed';
}

/** Why the balance could not be read. */
export function balanceErrorWords(error: unknown): Words {
  if (!(error instanceof ApiError)) return 'balance.failed';
  if (error.status === 401) return 'balance.notSignedIn';
  return error.code === NETWORK_ERROR ? 'balance.network' : 'balance.failed';
}
