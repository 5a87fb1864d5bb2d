import type { SearchForm } from '../../parts/criteria/searchForm.ts';
import { useBilling } from '../../shared/api/billing.ts';
import { CostCard } from './CostCard.tsx';
import { PlainWords } from './PlainWords.tsx';
import { SafeNote } from './SafeNote.tsx';
import type { Choice } from './wizardChoice.ts';

/** Beside steps 2 and 3: what was chosen in plain words, what it costs, and what becomes of the password. */
export function WizardAside({ form, chosen, codes }: { form: SearchForm; chosen: Choice[]; codes: boolean }) {
  const billing = useBilling();
  return (
    <>
      <PlainWords form={form} chosen={chosen} />
      {billing && <CostCard chosen={chosen} codes={codes} notifyOnly={form.notifyOnly} />}
      <SafeNote />
    </>
  );
}
