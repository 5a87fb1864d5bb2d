import { useTranslation } from 'react-i18next';
import type { Appointment } from '../../shared/api/types.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Text } from '../../shared/ui/Text.tsx';
import { appointmentLine } from './headline.ts';

/** Renders the fingerprint appointment before an interview, or nothing without one. */
export function FingerprintsLine({ fingerprints }: { fingerprints: Appointment['fingerprints'] | undefined }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!fingerprints) return null;
  const { date, time, city, city_zh } = fingerprints;
  const at = appointmentLine({ appointment_date: date, appointment_time: time }, language === 'zh' ? city_zh : city, language);
  return (
    <Text variant="caption" color="secondary">
      {t('unit.fingerprints', { at })}
    </Text>
  );
}
