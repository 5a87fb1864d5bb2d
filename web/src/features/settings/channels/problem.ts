import type { ChannelReason } from '../../../shared/api/channels.ts';
import { ApiError } from '../../../shared/api/errors.ts';
import { errorWords } from '../../../shared/format/errorWords.ts';
import type { Words } from '../../../shared/i18n/words.ts';

interface Said {
  reason?: ChannelReason;
  answer?: string;
}

const said = (error: unknown): Said => ((error instanceof ApiError && error.data) || {}) as Said;

const byCode: Record<string, Words> = {
  NOT_FOUND: 'reach.isGone',
  ILLEGAL_TRANSITION: 'reach.isElsewhere',
};

/** Why a channel could not be added, proven or changed. */
export const channelWords =
  (fallback: Words) =>
  (error: unknown): Words => {
    if (!(error instanceof ApiError)) return fallback;
    const { reason } = said(error);
    if (error.code === 'CHANNEL_REFUSED' && reason) return `reach.reason.${reason}`;
    return byCode[error.code] ?? errorWords(error, fallback);
  };

/** What the provider said, where it said anything. */
export const providerAnswer = (error: unknown): string | null => said(error).answer || null;

const codeProblems = new Set(['CHANNEL_CODE_WRONG', 'CHANNEL_CODE_SPENT', 'CHANNEL_CODE_EXPIRED']);

/** What is wrong with a code, or null where something else is. */
export const codeProblem = (error: unknown): Words | null =>
  error instanceof ApiError && codeProblems.has(error.code) ? errorWords(error, 'reach.verifyFailed') : null;
