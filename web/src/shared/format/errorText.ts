import { ApiError, NETWORK_ERROR } from '../api/errors.ts';
import type { TextKey } from '../i18n/textKey.ts';

const byCode: Record<string, TextKey> = {
  [NETWORK_ERROR]: 'problem.network',
  RESPONSE_FORMAT_ERROR: 'problem.format',
  TOO_MANY_ATTEMPTS: 'problem.tooMany',
  VALIDATION_FAILED: 'problem.validation',
  UNAVAILABLE: 'problem.unavailable',
  INTERNAL: 'problem.unexpected',
  REGISTRATION_CLOSED: 'problem.registrationClosed',
  BILLING_OFF: 'problem.billingOff',
  GOOGLE_OAUTH_ERROR: 'problem.googleNoUrl',
  GOOGLE_NOT_CONFIGURED: 'problem.googleNotConfigured',
  INVALID_CREDENTIALS: 'problem.invalidCredentials',
  EMAIL_NOT_VERIFIED: 'problem.notVerified',
  PASSKEY_REFUSED: 'problem.passkeyRefused',
  PASSKEY_LIMIT: 'problem.passkeyLimit',
  PASSKEY_CANCELLED: 'problem.passkeyCancelled',
  PASSKEY_KNOWN: 'problem.passkeyKnown',
  INVALID_TOKEN: 'problem.tokenInvalid',
  TOKEN_EXPIRED: 'problem.tokenExpired',
  TOPUP_CODE_INVALID: 'problem.codeUnknown',
  TOPUP_CODE_USED: 'problem.codeUsed',
  TOPUP_CODE_EXPIRED: 'problem.codeExpired',
  PORTAL_CREDENTIALS_REJECTED: 'problem.portalRejected',
  PORTAL_ACCOUNT_LOCKED: 'problem.portalLocked',
  PORTAL_CAPTCHA: 'problem.portalCaptcha',
  PORTAL_UNAVAILABLE: 'problem.portalUnavailable',
  PORTAL_SIGNED_OUT: 'problem.portalSignedOut',
  PORTAL_LAYOUT_CHANGED: 'problem.portalLayout',
  SECOND_FACTOR_LIMIT: 'problem.codesToday',
  ACCOUNT_SUSPENDED: 'problem.suspended',
  VERIFY_LIMIT: 'problem.verifyLimit',
  VERIFY_LOGINS_LIMIT: 'problem.verifyLimitDay',
  VERIFY_BUSY: 'problem.verifyBusy',
  PORTAL_PAUSED: 'problem.portalPaused',
  COUNTRY_NOT_SUPPORTED: 'problem.countryUnsupported',
  SCHEDULE_ALREADY_EXISTS: 'problem.takenOther',
  ILLEGAL_TRANSITION: 'problem.illegal',
  INSUFFICIENT_CREDIT: 'problem.insufficient',
  PRICE_CHANGED: 'problem.priceChanged',
  CARD_NOT_CONFIGURED: 'problem.cardUnavailable',
  CARD_PROVIDER_UNAVAILABLE: 'problem.cardSystemUnavailable',
  INVALID_SIGNATURE: 'problem.generic',
  STEP_UP_DECLINED: 'problem.stepUpDeclined',
  ACCOUNT_BUSY: 'problem.accountBusy',
  NOT_FOUND: 'problem.gone',
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

/** Returns the text for the code of an error, or `fallback` if the code has no text. */
export function errorText(error: unknown, fallback: TextKey): TextKey {
  return error instanceof ApiError ? (byCode[error.code] ?? fallback) : fallback;
}

/** Returns whether an error code of the server has a text. */
export const hasText = (code: string) => code in byCode;

/**
 * Returns the server's message if its error code has no text of our own. Returns null if the
 * message is in another language than the page, or if there was no response.
 */
export function serverText(error: unknown, language: 'en' | 'zh'): string | null {
  if (!(error instanceof ApiError) || error.status === 0 || error.code in byCode || error.code === 'HTTP_ERROR') return null;
  const chinese = /\p{Script=Han}/u.test(error.message);
  return error.message && chinese === (language === 'zh') ? error.message : null;
}
