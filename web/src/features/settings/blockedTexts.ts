import type { DeletionProspect } from '../../shared/api/types.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Returns the texts for the reason why the account cannot be deleted now. */
export const blockedTexts = (by: DeletionProspect['blocked_by']): { title: TextKey; text: TextKey } =>
  by === 'refund'
    ? { title: 'deletion.blockedRefund', text: 'deletion.blockedRefundText' }
    : { title: 'deletion.blocked', text: 'deletion.blockedText' };
