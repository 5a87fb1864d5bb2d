import { PolicyPage } from './PolicyPage.tsx';
import { pricingParts } from './pricingParts.ts';

/** Renders /pricing: prices, money on hold, and discounts. */
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
