import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Select } from '../../shared/ui/Select.tsx';
import styles from './CountryFields.module.css';

interface Props {
  countryCode: string;
  visaType: 'niv' | 'iv';
  onCountry: (code: string) => void;
  onVisaType: (type: 'niv' | 'iv') => void;
}

/**
 * Renders the fields for country and visa type. Countries that are not supported yet are disabled.
 */
export function CountryFields({ countryCode, visaType, onCountry, onVisaType }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useQuery(queries.facilities());
  const countries = data?.countries ?? [{ code: 'en-ca', nameEn: 'Canada', nameZh: '加拿大', available: true, facilities: [] }];
  const nameOf = (place: { nameEn: string; nameZh: string }) => (language === 'zh' ? place.nameZh : place.nameEn);
  const options = countries.map((country) => ({
    value: country.code,
    disabled: !country.available,
    label: country.available ? (
      nameOf(country)
    ) : (
      <>
        {nameOf(country)} · {t('portal.soon')}
        {country.facilities.length > 0 && (
          <span className={styles.cities}>{joined(country.facilities.map(nameOf), language)}</span>
        )}
      </>
    ),
  }));
  return (
    <div className={styles.fields}>
      <Select label={t('portal.country')} options={options} value={countryCode} onChange={onCountry} />
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
