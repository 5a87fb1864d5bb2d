import { PolicyPage } from './PolicyPage.tsx';
import { refundsParts } from './refundsParts.ts';

/** Renders /refunds: automatic refunds, and how to request others. */
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
