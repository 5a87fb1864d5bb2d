import { Lock, TriangleAlert } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { FingerprintsLine } from '../../parts/task/FingerprintsLine.tsx';
import { presentTask } from '../../parts/task/highlights.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { useToday } from '../../shared/hooks/useToday.ts';
import { clock, joined } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Tick } from '../../shared/ui/Checkbox.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import styles from './appointments.module.css';
import { type Choice, FEE_SOON_DAYS, feeDaysLeft } from './wizardChoice.ts';

const reasons: Record<string, TextKey> = {
  pay_visa_fee: 'reason.payFee',
  fee_expired: 'reason.feeExpired',
  monitored_by_self: 'reason.monitoredSelf',
  monitored_by_other: 'reason.monitoredOther',
  status_not_monitorable: 'reason.status',
  asks_fingerprints: 'reason.fingerprints',
};

interface Props {
  choice: Choice;
  checked: boolean;
  onToggle: () => void;
}

/**
 * Renders one group of the portal account as a row: with a checkbox, or with a lock and the reason
 * why it is unavailable.
 */
export function AppointmentChoice({ choice, checked, onToggle }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const id = useId();
  const { appointment, barrier } = choice;
  const names = joined(appointment.applicant_names, language);
  if (barrier)
    return (
      <li className={styles.row}>
        <span className={styles.lock}>
          <Icon of={Lock} />
        </span>
        <AppointmentFacts choice={choice} names={names} />
        <p className={styles.reason}>
          {t(reasons[barrier.reason] ?? 'reason.status', { date: appointment.payment_expiry_date ?? '' })}{' '}
          {barrier.reason === 'monitored_by_self' && <TaskLink id={barrier.taskId} />}
        </p>
      </li>
    );
  return (
    <li>
      <label htmlFor={id} className={classes(styles.row, styles.open)}>
        <span className={styles.mark}>
          <Tick kind="checkbox" id={id} checked={checked} onChange={onToggle} aria-label={names} />
        </span>
        <AppointmentFacts choice={choice} names={names} />
        <FeeSoon choice={choice} />
      </label>
    </li>
  );
}

/** Renders the applicants and their present appointment. */
function AppointmentFacts({ choice: { appointment }, names }: { choice: Choice; names: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const place = [
    appointment.facility ? cityName(appointment.facility) : t('reason.notAssigned'),
    appointment.appointment_time && clock(appointment.appointment_time, language),
  ];
  return (
    <>
      <div>
        <div className={styles.names}>{names}</div>
        <div className={styles.facts}>
          {appointment.visa_class && <span>{visaClass(appointment.visa_class, language)}</span>}
          <span>{t('unit.applicants', { count: appointment.applicants_count })}</span>
          {appointment.is_tcn_yes && <span>{t('unit.thirdCountry')}</span>}
          <span>{t('wizard.number', { number: appointment.schedule_id })}</span>
        </div>
      </div>
      <div className={styles.when}>
        <div className={styles.date}>{appointment.appointment_date ?? t('reason.notScheduled')}</div>
        <div className={styles.place}>
          <Pieces of={place} />
        </div>
        <FingerprintsLine fingerprints={appointment.fingerprints} />
      </div>
    </>
  );
}

/** Renders the warning that the visa fee expires soon. */
function FeeSoon({ choice: { appointment } }: { choice: Choice }) {
  const { t } = useTranslation();
  const daysLeft = feeDaysLeft(appointment, useToday(appointment.country_code, appointment.facility));
  if (daysLeft === null || daysLeft < 0 || daysLeft > FEE_SOON_DAYS) return null;
  return (
    <div className={styles.fee}>
      <Icon of={TriangleAlert} size={16} />
      {daysLeft === 0 ? t('reason.feeToday') : t('reason.feeSoon', { count: daysLeft, date: appointment.payment_expiry_date })}
    </div>
  );
}

/**
 * Renders the link to the user's task that already monitors this appointment. The dashboard
 * highlights it.
 */
function TaskLink({ id }: { id: string | null }) {
  const { t } = useTranslation();
  return (
    <Link to={{ pathname: paths.dashboard, hash: id ? `#task-${id}` : '' }} onClick={() => id && presentTask(id)}>
      {t('reason.openTask')}
    </Link>
  );
}
