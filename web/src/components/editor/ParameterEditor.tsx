import { formProblems, type SearchForm } from '../../lib/searchForm.ts';
import { ChangesSection } from './ChangesSection.tsx';
import { CitiesSection } from './CitiesSection.tsx';
import { ExcludedSection } from './ExcludedSection.tsx';
import { MinDaysSection } from './MinDaysSection.tsx';
import { ModeSection } from './ModeSection.tsx';
import { type EditorFacts, WindowSection } from './WindowSection.tsx';

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  countryCode: string;
  onChange: (form: SearchForm) => void;
}

/** The one editor of monitoring parameters, used by the wizard, the edit page and the dashboard's dialog. */
export function ParameterEditor({ form, facts, countryCode, onChange }: Props) {
  return (
    <>
      <WindowSection form={form} facts={facts} onChange={onChange} />
      <CitiesSection form={form} facts={facts} countryCode={countryCode} onChange={onChange} />
      <MinDaysSection form={form} onChange={onChange} />
      <ExcludedSection form={form} onChange={onChange} />
      <ModeSection form={form} onChange={onChange} />
      {!form.notifyOnly && <ChangesSection form={form} facts={facts} onChange={onChange} />}
    </>
  );
}

/** Whether the form may be saved. */
export const canSave = (form: SearchForm) => formProblems(form).length === 0;
