import { useTranslation } from 'react-i18next';
import type { Appointment } from '../../shared/api/types.ts';
import { maskIvr } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { clock, weekday } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import { NoWrap } from '../../shared/ui/Text.tsx';
import { ApplicantNames } from './ApplicantNames.tsx';
import styles from './Appointments.module.css';
import { FingerprintsLine } from './FingerprintsLine.tsx';

/** Renders one visa application with the date of its present appointment. */
export function AppointmentRow({
  appointment,
  headline = false,
  alone = false,
  hidden,
  attemptsLeft,
}: {
  appointment: Appointment;
  /**
   * True if date and place are already shown above. The row then shows only applicants and numbers.
   */
  headline?: boolean;
  /** True if the task has only this application. Its applicants are then named above. */
  alone?: boolean;
  hidden: boolean;
  attemptsLeft: number | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const { appointment_date: date, appointment_time: time } = appointment;
  const ivr = appointment.ivr_account_number;
  return (
    <div className={classes(styles.row, headline && styles.plain)}>
      {!headline && (
        <div className={styles.leaf}>
          {date ? date.slice(8) : '–'}
          <small>{date ? date.slice(0, 7) : t('task.noDate')}</small>
        </div>
      )}
      <div className={styles.what}>
        {!headline && (
          <div className={styles.where}>
            {date
              ? t('task.at', {
                  city: appointment.facility ? cityName(appointment.facility) : t('reason.notAssigned'),
                  when: [weekday(date, language), time && clock(time, language)].filter(Boolean).join(' '),
                })
              : t('reason.notScheduled')}
          </div>
        )}
        <FingerprintsLine fingerprints={appointment.fingerprints} />
        <div className={styles.who}>
          <Pieces
            of={[
              !alone && <ApplicantNames key="names" names={appointment.applicant_names} hidden={hidden} />,
              ivr && <NoWrap key="ivr">{t('task.ivr', { number: hidden ? maskIvr(ivr) : ivr })}</NoWrap>,
            ]}
          />
        </div>
      </div>
      {attemptsLeft !== null && (
        <div className={styles.left}>
          <Badge tone="line">{t('task.changesLeft', { count: attemptsLeft })}</Badge>
        </div>
      )}
    </div>
  );
}
