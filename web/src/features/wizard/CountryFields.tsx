import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { useCountryName } from '../../shared/format/useCountryName.ts';
import { FieldShell } from '../../shared/ui/FieldShell.tsx';
import { Select } from '../../shared/ui/Select.tsx';
import { type Begun, SelectButton } from '../../shared/ui/SelectButton.tsx';
import styles from './CountryFields.module.css';
import { CountryList } from './lazyParts.ts';
import { openCountry } from './openCountry.ts';

interface Props {
  countryCode: string;
  visaType: 'niv' | 'iv';
  onCountry: (code: string) => void;
  onVisaType: (type: 'niv' | 'iv') => void;
}

/**
 * Renders the fields for country and visa type. The code of the list of countries loads after the
 * page has rendered. Until then a button with the same look takes its place.
 */
export function CountryFields({ countryCode, visaType, onCountry, onVisaType }: Props) {
  const { t } = useTranslation();
  const countryName = useCountryName();
  const { data } = useQuery(queries.facilities());
  const [begun, setBegun] = useState<Begun>(null);
  const chosen = openCountry(data?.countries, countryCode);
  return (
    <div className={styles.fields}>
      <CountryList
        countryCode={countryCode}
        chosen={chosen}
        begun={begun}
        onCountry={onCountry}
        fallback={
          <FieldShell label={t('portal.country')}>
            {(control) => (
              <SelectButton {...control} opens="dialog" wrong={false} onBegun={setBegun}>
                {countryName(chosen)}
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
