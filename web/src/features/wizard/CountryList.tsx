import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { useSlow } from '../../shared/hooks/useSlow.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { SearchSelect } from '../../shared/ui/SearchSelect.tsx';
import type { Begun } from '../../shared/ui/SelectButton.tsx';
import styles from './CountryList.module.css';
import { CountryNote } from './CountryNote.tsx';
import { countrySearch } from './countrySearch.ts';
import { COUNTRY_FIELD, focusCountry } from './openCountry.ts';

interface Props {
  /** Code of the country that the user chose. It may not be open any more. */
  countryCode: string;
  /** Code of the open country that is used, or null while the countries are unknown. */
  chosen: string | null;
  begun: Begun;
  onCountry: (code: string) => void;
}

const noCountries: never[] = [];

/**
 * Renders the field for the country with its list. If the user presses a country that is not open,
 * a note below the field explains it, and the choice stays. If the countries could not be loaded,
 * a button below the field loads them again.
 */
export function CountryList({ countryCode, chosen, begun, onCountry }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const countryName = useCountryName();
  const { data, isError, isFetching, errorUpdateCount, refetch } = useQuery(queries.facilities());
  const slow = useSlow(!data && !isError);
  const [asked, setAsked] = useState<string | null>(null);
  const countries = data?.countries ?? noCountries;
  const nameOf = (code: string) => countryName(code) ?? code;
  const loading = t(isError ? 'portal.countriesFailed' : 'portal.countriesLoading');
  const explained = countries.find(({ code }) => code === (asked ?? countryCode));
  return (
    <SearchSelect
      id={COUNTRY_FIELD}
      label={t('portal.country')}
      error={!data && isError ? loading : undefined}
      find={countrySearch(countries, language, t)}
      value={chosen}
      shown={chosen ? nameOf(chosen) : t(isError ? 'portal.countryUnknown' : 'portal.countriesLoading')}
      begun={begun}
      onChange={(code) => {
        setAsked(null);
        onCountry(code);
      }}
      onUnavailable={setAsked}
      searchLabel={t('portal.countrySearch')}
      empty={data ? t('portal.countryNone') : loading}
      hint={
        explained && chosen && !explained.available ? (
          <CountryNote
            state={explained.state}
            officialSite={explained.officialSite}
            name={nameOf(explained.code)}
            chosen={nameOf(chosen)}
          />
        ) : (
          slow && t('portal.countriesSlow')
        )
      }
      after={
        !data &&
        errorUpdateCount > 0 && (
          <div className={styles.retry}>
            <Button
              variant="secondary"
              size="small"
              loading={isFetching}
              onClick={() => void refetch().then(({ isSuccess }) => isSuccess && focusCountry())}
            >
              {t('problem.retry')}
            </Button>
          </div>
        )
      }
    />
  );
}
