import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { SearchSelect } from '../../shared/ui/SearchSelect.tsx';
import { Select } from '../../shared/ui/Select.tsx';
import styles from './CountryFields.module.css';
import { CountryNote } from './CountryNote.tsx';
import { countrySearch, openCountry } from './countryChoice.ts';

interface Props {
  countryCode: string;
  visaType: 'niv' | 'iv';
  onCountry: (code: string) => void;
  onVisaType: (type: 'niv' | 'iv') => void;
}

const noCountries: never[] = [];

/**
 * Renders the fields for country and visa type. If the user presses a country that is not open, a
 * note below the field explains it, and the choice stays.
 */
export function CountryFields({ countryCode, visaType, onCountry, onVisaType }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const countryName = useCountryName();
  const { data } = useQuery(queries.facilities());
  const [asked, setAsked] = useState<string | null>(null);
  const countries = data?.countries ?? noCountries;
  const chosen = openCountry(countries, countryCode);
  const nameOf = (code: string) => countryName(code) ?? code;
  const explained = countries.find(({ code }) => code === (asked ?? countryCode));
  return (
    <div className={styles.fields}>
      <SearchSelect
        label={t('portal.country')}
        find={countrySearch(countries, language, t)}
        value={chosen}
        shown={nameOf(chosen)}
        onChange={(code) => {
          setAsked(null);
          onCountry(code);
        }}
        onUnavailable={setAsked}
        searchLabel={t('portal.countrySearch')}
        empty={t('portal.countryNone')}
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
      <Select
        label={t('portal.visaType')}
        options={[
          { value: 'niv', label: t('portal.niv') },
          { value: 'iv', label: t('portal.iv') },
        ]}
        value={visaType}
        onChange={onVisaType}
      />
    </div>
  );
}
