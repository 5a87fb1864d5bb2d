import type { ChannelReason } from '../../../shared/api/channels.ts';
import { ApiError } from '../../../shared/api/errors.ts';
import { errorText } from '../../../shared/format/errorText.ts';
import type { TextKey } from '../../../shared/i18n/textKey.ts';

interface ProblemData {
  reason?: ChannelReason;
  answer?: string;
}

const problemData = (error: unknown): ProblemData => ((error instanceof ApiError && error.data) || {}) as ProblemData;

/** Texts of error codes that only requests about channels return. */
export const channelCodes: Record<string, TextKey> = {
  CHANNEL_NOT_OFFERED: 'reach.problem.notOffered',
  CHANNEL_LIMIT: 'reach.problem.limit',
  CHANNEL_REFUSED: 'reach.problem.refused',
  CHANNEL_UNREACHABLE: 'reach.problem.unreachable',
  CHANNEL_CODE_WRONG: 'reach.problem.codeWrong',
  CHANNEL_CODE_SPENT: 'reach.problem.codeSpent',
  CHANNEL_CODE_EXPIRED: 'reach.problem.codeExpired',
  SMS_COUNTRY_NOT_ALLOWED: 'reach.problem.smsCountry',
};

/** Texts of common error codes, if a request about channels returns them. */
const commonCodes: Record<string, TextKey> = {
  NOT_FOUND: 'reach.isGone',
  ILLEGAL_TRANSITION: 'reach.isElsewhere',
};

/** Returns the text of an error while a channel is added, confirmed or changed. */
export const channelErrorText =
  (fallback: TextKey) =>
  (error: unknown): TextKey => {
    if (!(error instanceof ApiError)) return fallback;
    const { reason } = problemData(error);
    if (error.code === 'CHANNEL_REFUSED' && reason) return `reach.reason.${reason}`;
    return channelCodes[error.code] ?? commonCodes[error.code] ?? errorText(error, fallback);
  };

/** Returns the provider's message, if there is one. */
export const providerAnswer = (error: unknown): string | null => problemData(error).answer || null;

/** Returns the text of an error that concerns the entered code, or null for other errors. */
export const codeProblem = (error: unknown): TextKey | null =>
  error instanceof ApiError && error.code.startsWith('CHANNEL_CODE_') ? (channelCodes[error.code] ?? null) : null;

/** Texts of the reasons why a browser could not be subscribed. */
export const refusals: Record<import('./webPush.ts').PushRefused['why'], TextKey> = {
  denied: 'reach.push.denied',
  closed: 'reach.push.closed',
  worker: 'reach.push.worker',
  service: 'reach.push.service',
};
