import { PolicyPage } from './PolicyPage.tsx';
import { termsParts } from './termsParts.ts';

/** Renders /terms: services and limits, risks, and liabilities. */
export function TermsPage() {
  return (
    <PolicyPage heading="terms.title" lead="terms.lead" changed="policy.changed" contents="policy.contents" parts={termsParts} />
  );
}
