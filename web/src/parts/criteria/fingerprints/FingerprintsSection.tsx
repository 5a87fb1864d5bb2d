import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FingerprintParams } from '../../../shared/api/types.ts';
import { useCityName } from '../../../shared/format/useCityName.ts';
import { TextField } from '../../../shared/ui/TextField.tsx';
import tiles from '../CitiesSection.module.css';
import { CityOrder } from '../CityOrder.tsx';
import { CityTile } from '../CityTile.tsx';
import { Section } from '../Section.tsx';
import { fingerprintsProblem, limits, noFingerprints, outOfRange, type SearchForm, typedNumber } from '../searchForm.ts';
import styles from './FingerprintsSection.module.css';

interface Props {
  form: SearchForm;
  /** English names of the country's cities that are known to take fingerprints. */
  cities: string[];
  onChange: (form: SearchForm) => void;
}

/**
 * Renders the section for the fingerprint appointment: its days before the interview, and the
 * cities if there are several. Saved cities that the list lacks have tiles too, so that they can be
 * removed.
 */
export function FingerprintsSection({ form, cities, onChange }: Props) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const hintId = useId();
  const rule = form.fingerprints ?? noFingerprints;
  const [saved] = useState(rule.cities);
  const others = [...new Set([...saved, ...rule.cities])].filter((city) => !cities.includes(city));
  const change = (part: Partial<FingerprintParams>) => {
    const next = { ...rule, ...part };
    const none = next.min_days_before === null && next.max_days_before === null && next.cities.length === 0;
    onChange({ ...form, fingerprints: none ? null : next });
  };
  const toggle = (name: string) =>
    change({ cities: rule.cities.includes(name) ? rule.cities.filter((city) => city !== name) : [...rule.cities, name] });
  return (
    <Section part="fingerprints" title={t('fingerprints.title')}>
      <p className={styles.question}>{t('fingerprints.days')}</p>
      <div role="group" aria-label={t('fingerprints.days')} aria-describedby={hintId} className={styles.days}>
        <DaysField
          label={t('fingerprints.least')}
          value={rule.min_days_before}
          onChange={(min_days_before) => change({ min_days_before })}
        />
        <DaysField
          label={t('fingerprints.most')}
          value={rule.max_days_before}
          problem={fingerprintsProblem(form) === 'editor.fingerprintsOrder' ? t('fingerprints.mostTooFew') : undefined}
          onChange={(max_days_before) => change({ max_days_before })}
        />
      </div>
      <p id={hintId} className={styles.note}>
        {t('fingerprints.daysHint')}
      </p>
      {(cities.length > 1 || others.length > 0) && (
        <div className={styles.cities}>
          <p className={styles.question}>{t('fingerprints.cities')}</p>
          <div role="group" aria-label={t('fingerprints.cities')} className={tiles.tiles}>
            {[...cities, ...others].map((name) => (
              <CityTile
                key={name}
                name={cityName(name)}
                rank={rule.cities.indexOf(name)}
                note={others.includes(name) ? t('editor.cityUnknown') : undefined}
                onToggle={() => toggle(name)}
              />
            ))}
          </div>
          {rule.cities.length > 1 && (
            <CityOrder
              cities={rule.cities.map((id) => ({ id, name: cityName(id) }))}
              onChange={(ordered) => change({ cities: ordered })}
            />
          )}
          <p className={styles.note}>{t(rule.cities.length === 0 ? 'fingerprints.noCity' : 'fingerprints.someCities')}</p>
        </div>
      )}
      <p className={styles.last}>{t(form.notifyOnly ? 'fingerprints.notify' : 'fingerprints.also')}</p>
    </Section>
  );
}

interface DaysProps {
  label: string;
  value: number | null;
  /** Problem of a number that is in range. */
  problem?: string;
  onChange: (value: number | null) => void;
}

/** Renders a field for a number of days that may be empty. */
function DaysField({ label, value, problem, onChange }: DaysProps) {
  const { t } = useTranslation();
  const written = value === null ? '' : String(value);
  const [typed, setTyped] = useState(written);
  return (
    <TextField
      label={label}
      value={typed}
      inputMode="numeric"
      autoComplete="off"
      placeholder={t('fingerprints.any')}
      error={outOfRange(value) ? t('editor.improvementRange', limits.fingerprintDays) : problem}
      onChange={(event) => {
        const text = event.target.value.trim();
        setTyped(text);
        onChange(text === '' ? null : typedNumber(text));
      }}
      // On leaving the field, its text becomes the number in use.
      onBlur={() => setTyped(written)}
    />
  );
}
