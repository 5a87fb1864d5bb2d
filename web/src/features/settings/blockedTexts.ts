import type { DeletionProspect } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Returns the reasons that block the account's deletion. */
export const blockedTexts = (by: DeletionProspect['blocked_by']): { title: TextKey; text: TextKey } =>
  by === 'refund'
    ? { title: 'deletion.blockedRefund', text: 'deletion.blockedRefundText' }
    : { title: 'deletion.blocked', text: 'deletion.blockedText' };
