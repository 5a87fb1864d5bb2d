import { PolicyPage } from './PolicyPage.tsx';
import { termsParts } from './termsParts.ts';

/** /terms: what we do and do not do, the risks, and who answers for what. */
export function TermsPage() {
  return (
    <PolicyPage heading="terms.title" lead="terms.lead" changed="policy.changed" contents="policy.contents" parts={termsParts} />
  );
}
