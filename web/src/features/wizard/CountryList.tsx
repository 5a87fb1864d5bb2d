import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { SearchSelect } from '../../shared/ui/SearchSelect.tsx';
import type { Begun } from '../../shared/ui/SelectButton.tsx';
import { CountryNote } from './CountryNote.tsx';
import { countrySearch } from './countrySearch.ts';

interface Props {
  /** Code of the country that the user chose. It may not be open any more. */
  countryCode: string;
  /** Code of the open country that is used. */
  chosen: string;
  begun: Begun;
  onCountry: (code: string) => void;
}

const noCountries: never[] = [];

/**
 * Renders the field for the country with its list. If the user presses a country that is not open,
 * a note below the field explains it, and the choice stays.
 */
export function CountryList({ countryCode, chosen, begun, onCountry }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const countryName = useCountryName();
  const { data, isError } = useQuery(queries.facilities());
  const [asked, setAsked] = useState<string | null>(null);
  const countries = data?.countries ?? noCountries;
  const nameOf = (code: string) => countryName(code) ?? code;
  const explained = countries.find(({ code }) => code === (asked ?? countryCode));
  return (
    <SearchSelect
      label={t('portal.country')}
      find={countrySearch(countries, language, t)}
      value={chosen}
      shown={nameOf(chosen)}
      begun={begun}
      onChange={(code) => {
        setAsked(null);
        onCountry(code);
      }}
      onUnavailable={setAsked}
      searchLabel={t('portal.countrySearch')}
      empty={t(data ? 'portal.countryNone' : isError ? 'portal.countriesFailed' : 'portal.countriesLoading')}
      hint={
        explained &&
        !explained.available && (
          <CountryNote
            state={explained.state}
            officialSite={explained.officialSite}
            name={nameOf(explained.code)}
            chosen={nameOf(chosen)}
          />
        )
      }
    />
  );
}
