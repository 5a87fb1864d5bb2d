import { PolicyPage } from './PolicyPage.tsx';
import { termsParts } from './termsParts.ts';

/** Renders /terms: the service and its limits, risks, and liability. */
export function TermsPage() {
  return (
    <PolicyPage heading="terms.title" lead="terms.lead" changed="policy.changed" contents="policy.contents" parts={termsParts} />
  );
}
