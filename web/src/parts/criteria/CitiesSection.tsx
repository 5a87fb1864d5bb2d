import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useSlow } from '../../shared/hooks/useSlow.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text, VisuallyHidden } from '../../shared/ui/Text.tsx';
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
 * Saved cities that the list lacks have tiles too, so that they can be removed.
 */
export function CitiesSection({ form, facts, countryCode, missing, onChange }: Props) {
  const { t } = useTranslation();
  const called = useCityName();
  const query = useQuery(queries.facilities());
  const listed = query.data && (query.data.countries.find(({ code }) => code === countryCode)?.facilities ?? []);
  const known = listed?.filter(({ id }) => id !== null);
  const names = known?.map(({ nameEn }) => nameEn) ?? [];
  const [saved] = useState(form.cities);
  const others = [...new Set([...saved, ...form.cities])].filter((city) => !names.includes(city));
  const only = listed?.length === 1 && names.length === 1 && form.cities.every((city) => city === names[0]) ? names[0] : null;
  const toggle = (name: string) =>
    onChange({
      ...form,
      cities: form.cities.includes(name) ? form.cities.filter((city) => city !== name) : [...form.cities, name],
    });
  const earliest = (name: string) =>
    facts.seen
      .filter((slot) => slot.facility === name)
      .map((slot) => slot.date)
      .sort()[0];
  if (only)
    return (
      <OnlyCity
        city={called(only)}
        seen={earliest(only)}
        chosen={form.cities.length > 0}
        onChoose={() => onChange({ ...form, cities: [only] })}
      />
    );
  return (
    <Section
      part="cities"
      title={t('editor.where')}
      aside={t('editor.order')}
      problem={missing ? t('editor.cityRequired') : undefined}
    >
      {listed?.some(({ id }) => id === null) && <Alert tone="info">{t('editor.citiesUnknown')}</Alert>}
      <CityList query={query}>
        {[...names, ...others].map((name) => (
          <CityTile
            key={name}
            name={called(name)}
            rank={form.cities.indexOf(name)}
            note={known && others.includes(name) ? t('editor.cityUnknown') : undefined}
            seen={earliest(name)}
            onToggle={() => toggle(name)}
          />
        ))}
      </CityList>
      {known && form.cities.length > 1 && (
        <CityOrder
          cities={form.cities.map((id) => ({ id, name: called(id) }))}
          onChange={(cities) => onChange({ ...form, cities })}
        />
      )}
    </Section>
  );
}

interface ListProps {
  query: Pick<UseQueryResult, 'data' | 'isError' | 'isFetching' | 'errorUpdateCount' | 'refetch'>;
  /** Tiles of the known cities. */
  children: ReactNode;
}

/**
 * Renders the tiles. While the cities load it renders a skeleton, with a text after a while. After
 * a failure it renders a retry button above the tiles of the saved cities.
 */
function CityList({ query, children }: ListProps) {
  const { t } = useTranslation();
  const tiles = useRef<HTMLDivElement>(null);
  const retried = useRef(false);
  const loaded = query.data !== undefined;
  const failed = !loaded && query.errorUpdateCount > 0;
  const slow = useSlow(!loaded && !query.isError);
  useEffect(() => {
    // The pressed button is gone.
    if (loaded && retried.current) tiles.current?.querySelector('button')?.focus();
  }, [loaded]);
  const retry = () => {
    retried.current = true;
    void query.refetch();
  };
  return (
    <Stack gap={3}>
      {failed && (
        <Alert
          tone="error"
          action={
            <Button variant="secondary" size="small" loading={query.isFetching} onClick={retry}>
              {t('problem.retry')}
            </Button>
          }
        >
          {t('editor.citiesFailed')}
        </Alert>
      )}
      <div ref={tiles} className={styles.tiles}>
        {loaded || failed ? children : ['a', 'b', 'c', 'd'].map((key) => <Skeleton key={key} kind="control" />)}
      </div>
      {!loaded && !failed && (
        <Text role="status" variant="small" color="secondary">
          {slow ? t('editor.citiesSlow') : <VisuallyHidden>{t('editor.citiesLoading')}</VisuallyHidden>}
        </Text>
      )}
    </Stack>
  );
}
