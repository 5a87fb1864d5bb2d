import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { FieldShell } from '../../shared/ui/FieldShell.tsx';
import { Select } from '../../shared/ui/Select.tsx';
import { type Begun, SelectButton } from '../../shared/ui/SelectButton.tsx';
import styles from './CountryFields.module.css';
import { CountryList } from './lazyParts.ts';
import { COUNTRY_FIELD } from './openCountry.ts';

interface Props {
  /** Code of the country that the user chose. It may not be open any more. */
  countryCode: string;
  /** Code of the open country that is used, or null while the countries are unknown. */
  chosen: string | null;
  visaType: 'niv' | 'iv';
  onCountry: (code: string) => void;
  onVisaType: (type: 'niv' | 'iv') => void;
}

/**
 * Renders the fields for country and visa type. The code of the list of countries loads after the
 * page has rendered. Until then a button with the same look takes its place.
 */
export function CountryFields({ countryCode, chosen, visaType, onCountry, onVisaType }: Props) {
  const { t } = useTranslation();
  const countryName = useCountryName();
  const [begun, setBegun] = useState<Begun>(null);
  return (
    <div className={styles.fields}>
      <CountryList
        countryCode={countryCode}
        chosen={chosen}
        begun={begun}
        onCountry={onCountry}
        fallback={
          <FieldShell id={COUNTRY_FIELD} label={t('portal.country')}>
            {(control) => (
              <SelectButton {...control} opens="dialog" wrong={false} onBegun={setBegun}>
                {chosen ? countryName(chosen) : t('portal.countriesLoading')}
              </SelectButton>
            )}
          </FieldShell>
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
