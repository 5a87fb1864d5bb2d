import { Check, CircleX, Clock, type LucideIcon, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FingerprintsLine } from '../../parts/task/FingerprintsLine.tsx';
import { expiryBand } from '../../parts/task/taskView.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { clock, joined } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import styles from './appointments.module.css';
import { type Choice, feeDaysLeft } from './wizardChoice.ts';

/** Colour, icon and text for each of the four levels of the specification. */
const bands = {
  expired: ['errorSolid', CircleX, 'fee.expired'],
  warning: ['error', TriangleAlert, 'fee.urgent'],
  caution: ['warning', Clock, 'fee.soon'],
  good: ['ok', Check, 'fee.valid'],
} as const satisfies Record<string, readonly [string, LucideIcon, TextKey]>;

/**
 * Renders one chosen group in step 3: the applicants, the present appointment, and the validity of
 * the visa fee.
 */
export function SummaryRow({ choice: { appointment } }: { choice: Choice }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const daysLeft = feeDaysLeft(appointment, useToday(appointment.country_code, appointment.facility));
  const [tone, icon, textKey] = bands[expiryBand(daysLeft ?? 0)];
  const now = appointment.appointment_date
    ? [
        appointment.appointment_date,
        appointment.appointment_time && clock(appointment.appointment_time, language),
        cityName(appointment.facility),
      ]
    : [t('reason.notScheduled')];
  return (
    <li className={styles.summary}>
      <div>
        <div className={styles.names}>{joined(appointment.applicant_names, language)}</div>
        <div className={styles.facts}>
          <span>{visaClass(appointment.visa_class, language)}</span>
          <span>{t('unit.applicants', { count: appointment.applicants_count })}</span>
          {appointment.is_tcn_yes && <span>{t('unit.thirdCountry')}</span>}
          <span>{t('wizard.number', { number: appointment.schedule_id })}</span>
        </div>
      </div>
      <div className={styles.held}>
        <div className={styles.date}>
          <Pieces of={now} />
        </div>
        <FingerprintsLine fingerprints={appointment.fingerprints} />
        {daysLeft !== null && (
          <Badge tone={tone} icon={icon}>
            {daysLeft === 0 ? t('fee.today') : t(textKey, { count: daysLeft, date: appointment.payment_expiry_date ?? '' })}
          </Badge>
        )}
      </div>
    </li>
  );
}
