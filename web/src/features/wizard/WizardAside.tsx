import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import { useBilling } from '../../shared/api/billing.ts';
import { CostCard } from './CostCard.tsx';
import { PlainSummary } from './PlainSummary.tsx';
import { SafeNote } from './SafeNote.tsx';
import type { Choice } from './wizardChoice.ts';

/**
 * Renders the panel beside steps 2 and 3: the choices in plain language, the price, and the use of
 * the password.
 */
export function WizardAside({ form, chosen, codes }: { form: SearchForm; chosen: Choice[]; codes: boolean }) {
  const billing = useBilling();
  return (
    <>
      <PlainSummary form={form} chosen={chosen} />
      {billing && <CostCard chosen={chosen} codes={codes} notifyOnly={form.notifyOnly} />}
      <SafeNote />
    </>
  );
}
