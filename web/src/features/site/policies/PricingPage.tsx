import { PolicyPage } from './PolicyPage.tsx';
import { pricingParts } from './pricingParts.ts';

/** /pricing: what is charged when, what is on hold, and what takes something off. */
export function PricingPage() {
  return (
    <PolicyPage
      heading="pricing.title"
      lead="pricing.lead"
      changed="policy.changed"
      contents="policy.contents"
      parts={pricingParts}
    />
  );
}
