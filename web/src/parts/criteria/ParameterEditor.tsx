import type { ReactNode } from 'react';
import { useFingerprintCities } from '../../shared/format/useFingerprintCities.ts';
import { useLifeLimit } from '../../shared/format/useLifeLimit.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { ChangesSection } from './ChangesSection.tsx';
import { CitiesSection } from './CitiesSection.tsx';
import { DaysSection } from './DaysSection.tsx';
import { ExcludedSection } from './ExcludedSection.tsx';
import { LifeLimitSection } from './LifeLimitSection.tsx';
import { MinDaysSection } from './MinDaysSection.tsx';
import { ModeSection } from './ModeSection.tsx';
import { MoreCriteria } from './MoreCriteria.tsx';
import type { SearchForm } from './searchForm.ts';
import { type EditorFacts, WindowSection } from './WindowSection.tsx';

/** Loads only for countries with fingerprint appointments, which most do not have. */
const FingerprintsSection = lazyComponent(() =>
  withTexts(
    ['parts/criteria/fingerprints'],
    async () => (await import('./fingerprints/FingerprintsSection.tsx')).FingerprintsSection,
  ),
);

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  countryCode: string;
  onChange: (form: SearchForm) => void;
  /** Problems to mark at their fields. */
  problems?: TextKey[];
  /** Content below the modes while *Ask me first* is chosen. */
  askNote?: ReactNode;
}

/**
 * Renders the editor of a task's search criteria. The wizard, the card of a task, the dialog and
 * the edit page use it.
 */
export function ParameterEditor({ form, facts, countryCode, onChange, problems = [], askNote }: Props) {
  const lifeLimit = useLifeLimit(countryCode);
  const fingerprintCities = useFingerprintCities(countryCode);
  const hasFingerprints = fingerprintCities.length > 0 || facts.hasFingerprints || form.fingerprints;
  return (
    <>
      <WindowSection form={form} facts={facts} onChange={onChange} />
      <CitiesSection
        form={form}
        facts={facts}
        countryCode={countryCode}
        missing={problems.includes('editor.cityRequired')}
        onChange={onChange}
      />
      <ModeSection form={form} onChange={onChange} askNote={askNote} />
      {!form.notifyOnly && typeof lifeLimit === 'number' && (
        <LifeLimitSection limit={lifeLimit} form={form} facts={facts} onChange={onChange} />
      )}
      <MoreCriteria form={form} problems={problems}>
        <MinDaysSection form={form} onChange={onChange} />
        <ExcludedSection form={form} onChange={onChange} />
        <DaysSection form={form} onChange={onChange} />
        {hasFingerprints && <FingerprintsSection form={form} cities={fingerprintCities} onChange={onChange} />}
        {!form.notifyOnly && <ChangesSection form={form} facts={facts} hasConsent={lifeLimit === null} onChange={onChange} />}
      </MoreCriteria>
    </>
  );
}
