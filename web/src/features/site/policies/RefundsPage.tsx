import { PolicyPage } from './PolicyPage.tsx';
import { refundsParts } from './refundsParts.ts';

/** /refunds: what comes back, what can be asked back, and how. */
export function RefundsPage() {
  return (
    <PolicyPage
      heading="refunds.title"
      lead="refunds.lead"
      changed="policy.changed"
      contents="policy.contents"
      parts={refundsParts}
    />
  );
}
