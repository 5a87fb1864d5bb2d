import { ApiError, NETWORK_ERROR } from '../../shared/api/errors.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

const topupCodes: Record<string, TextKey> = {
  TOPUP_CODE_INVALID: 'problem.codeUnknown',
  TOPUP_CODE_USED: 'problem.codeUsed',
  TOPUP_CODE_EXPIRED: 'problem.codeExpired',
  NOT_FOUND: 'topup.notFound',
  TOO_MANY_ATTEMPTS: 'problem.tooMany',
  MONEY_FROZEN: 'topup.frozen',
  [NETWORK_ERROR]: 'topup.network',
  UNAVAILABLE: 'topup.useFailed',
  INTERNAL: 'topup.useFailed',
};

const topupMessages: [string, TextKey][] = [
  ['already been used', 'problem.codeUsed'],
  ['expired', 'problem.codeExpired'],
  ['not found', 'topup.notFound'],
  ['invalid', 'problem.codeUnknown'],
  ['failed to use', 'topup.useFailed'],
  ['network error', 'topup.network'],
];

/**
 * Returns the text for a failed top-up, by its error code, else by the message that the
 * specification lists.
 */
export function topupErrorText(error: unknown): TextKey {
  if (!(error instanceof ApiError)) return 'topup.failed';
  const known = topupCodes[error.code];
  if (known) return known;
  const message = error.message.toLowerCase();
  return topupMessages.find(([part]) => message.includes(part))?.[1] ?? 'topup.failed';
}

/** Returns the text for a balance that could not be loaded. */
export function balanceErrorText(error: unknown): TextKey {
  if (!(error instanceof ApiError)) return 'balance.failed';
  if (error.status === 401) return 'balance.notSignedIn';
  return error.code === NETWORK_ERROR ? 'balance.network' : 'balance.failed';
}
