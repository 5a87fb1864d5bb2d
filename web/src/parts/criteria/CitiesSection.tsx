import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { nameIn } from '../../shared/format/countryName.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import styles from './CitiesSection.module.css';
import { CityOrder } from './CityOrder.tsx';
import { CityTile } from './CityTile.tsx';
import { OnlyCity } from './OnlyCity.tsx';
import { Section } from './Section.tsx';
import type { SearchForm } from './searchForm.ts';
import type { EditorFacts } from './WindowSection.tsx';

interface Props {
  form: SearchForm;
  facts: EditorFacts;
  countryCode: string;
  /** True if the form already reports that no city is chosen. */
  missing: boolean;
  onChange: (form: SearchForm) => void;
}

/**
 * Renders the cities as tiles, numbered in the order of choice. If two cities have the same date,
 * the lower number wins. The only city of a country is chosen automatically and shown as a line.
 */
export function CitiesSection({ form, facts, countryCode, missing, onChange }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useQuery(queries.facilities());
  const facilities = data?.countries.find(({ code }) => code === countryCode)?.facilities;
  const only = facilities?.length === 1 && form.cities.every((city) => city === facilities[0]?.nameEn) ? facilities[0] : null;
  const toggle = (name: string) =>
    onChange({
      ...form,
      cities: form.cities.includes(name) ? form.cities.filter((city) => city !== name) : [...form.cities, name],
    });
  const called = (name: string) => {
    const facility = facilities?.find(({ nameEn }) => nameEn === name);
    return facility ? nameIn(facility, language) : name;
  };
  const earliest = (name: string) =>
    facts.seen
      .filter((slot) => slot.facility === name)
      .map((slot) => slot.date)
      .sort()[0];
  if (only)
    return (
      <OnlyCity
        city={nameIn(only, language)}
        seen={earliest(only.nameEn)}
        chosen={form.cities.length > 0}
        onChoose={() => onChange({ ...form, cities: [only.nameEn] })}
      />
    );
  return (
    <Section
      part="cities"
      title={t('editor.where')}
      aside={t('editor.order')}
      problem={missing ? t('editor.cityRequired') : undefined}
    >
      <div className={styles.tiles}>
        {!facilities && ['a', 'b', 'c', 'd'].map((key) => <Skeleton key={key} kind="control" />)}
        {facilities?.map((facility) => (
          <CityTile
            key={facility.nameEn}
            name={called(facility.nameEn)}
            rank={form.cities.indexOf(facility.nameEn)}
            seen={earliest(facility.nameEn)}
            onToggle={() => toggle(facility.nameEn)}
          />
        ))}
      </div>
      {facilities && form.cities.length > 1 && (
        <CityOrder
          cities={form.cities.map((id) => ({ id, name: called(id) }))}
          onChange={(cities) => onChange({ ...form, cities })}
        />
      )}
    </Section>
  );
}
