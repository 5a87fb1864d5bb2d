import type { DeletionProspect } from '../../shared/api/types.ts';
import type { Words } from '../../shared/i18n/words.ts';

/** Returns the reasons that block the account's deletion. */
export const blockedWords = (by: DeletionProspect['blocked_by']): { title: Words; text: Words } =>
  by === 'refund'
    ? { title: 'deletion.blockedRefund', text: 'deletion.blockedRefundText' }
    : { title: 'deletion.blocked', text: 'deletion.blockedText' };
