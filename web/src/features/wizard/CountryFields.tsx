import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';

interface Props {
  countryCode: string;
  visaType: string;
  onCountry: (code: string) => void;
  onVisaType: (type: 'niv' | 'iv') => void;
}

/** Country and kind of visa; countries we do not serve yet stand in the list with their cities, disabled. */
export function CountryFields({ countryCode, visaType, onCountry, onVisaType }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const { data } = useQuery(queries.facilities());
  const countries = data?.countries ?? [{ code: 'en-ca', nameEn: 'Canada', nameZh: '加拿大', available: true, facilities: [] }];
  const nameOf = (place: { nameEn: string; nameZh: string }) => (language === 'zh' ? place.nameZh : place.nameEn);
  const label = { display: 'block', fontSize: 14, fontWeight: 600, lineHeight: 1.5, mb: 0.75 } as const;
  return (
    <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' }, gap: 2 }}>
      <Box>
        <Box component="span" id={`${id}-country`} sx={label}>
          {t('portal.country')}
        </Box>
        <Select fullWidth labelId={`${id}-country`} value={countryCode} onChange={(event) => onCountry(event.target.value)}>
          {countries.map((country) => (
            <MenuItem key={country.code} value={country.code} disabled={!country.available} sx={{ flexWrap: 'wrap' }}>
              {nameOf(country)}
              {!country.available && ` · ${t('portal.soon')}`}
              {!country.available && country.facilities.length > 0 && (
                <Box component="span" sx={{ display: 'block', width: '100%', fontSize: 12, whiteSpace: 'normal' }}>
                  {joined(country.facilities.map(nameOf), language)}
                </Box>
              )}
            </MenuItem>
          ))}
        </Select>
      </Box>
      <Box>
        <Box component="span" id={`${id}-type`} sx={label}>
          {t('portal.visaType')}
        </Box>
        <Select
          fullWidth
          labelId={`${id}-type`}
          value={visaType}
          onChange={(event) => onVisaType(event.target.value === 'iv' ? 'iv' : 'niv')}
        >
          <MenuItem value="niv">{t('portal.niv')}</MenuItem>
          <MenuItem value="iv">{t('portal.iv')}</MenuItem>
        </Select>
      </Box>
    </Box>
  );
}
