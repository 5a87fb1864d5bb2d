import { useMutation } from '@tanstack/react-query';
import { Calendar, CalendarCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AppointmentRow } from '../../parts/task/AppointmentRow.tsx';
import { saveAppointment } from '../../parts/task/appointmentFile.ts';
import { FingerprintsLine } from '../../parts/task/FingerprintsLine.tsx';
import type { Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { instantInFull, unbroken } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import styles from './BookingsCard.module.css';
import { Part } from './Part.tsx';
import { receipts } from './receipts.ts';

/** Loads only after the first booking of a task. */
const RatingPrompt = lazyComponent(async () => (await import('../../parts/task/RatingPrompt.tsx')).RatingPrompt);

/**
 * Renders the appointments of a task with a calendar file, and its bookings with their receipts.
 */
export function BookingsCard({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const saving = useMutation({
    mutationFn: () => saveAppointment(task, language),
    onError: () => toast.error(t('toast.calendarFailed')),
  });
  const booked = task.appointments.some((appointment) => appointment.appointment_date);
  const bookings = receipts(task).reverse();
  return (
    <Part icon={CalendarCheck} title={t('rail.appointments')}>
      <div className={styles.appointments}>
        {task.appointments.map((appointment) => (
          <AppointmentRow
            key={`${appointment.schedule_id}-${appointment.ivr_account_number}`}
            appointment={appointment}
            hidden={hidden}
            attemptsLeft={null}
          />
        ))}
      </div>
      {booked && (
        <div className={styles.calendar}>
          <Button
            variant="secondary"
            size="small"
            loading={saving.isPending}
            onClick={() => saving.mutate()}
            start={<Icon of={Calendar} size={16} />}
          >
            {t('rail.calendar')}
          </Button>
          <span className={styles.calendarText}>{t('rail.calendarText')}</span>
        </div>
      )}
      {bookings.length > 0 && (
        <>
          <h3 className={styles.heading}>{t('rail.bookings')}</h3>
          <ul className={styles.bookings}>
            {bookings.map((one) => (
              <li key={one.n}>
                <div className={styles.booking}>
                  <b className={styles.date}>{unbroken(one.date)}</b>{' '}
                  <span className={styles.city}>{cityName(one.facility)}</span>
                  <FingerprintsLine fingerprints={one.fingerprints} />
                  <Text variant="caption" color="tertiary">
                    {instantInFull(one.at, language)}
                  </Text>
                </div>
                <span className={styles.gained}>
                  {one.daysAdvanced === null ? t('task.firstBooking') : t('task.gained', { count: one.daysAdvanced })}
                </span>
                <ButtonLink
                  render={<Link to={paths.bookingReceipt(task.id, one.n)} />}
                  variant="text"
                  size="small"
                  aria-label={t('rail.receiptOf', { date: one.date })}
                  className={styles.receipt}
                >
                  {t('rail.receipt')}
                </ButtonLink>
              </li>
            ))}
          </ul>
          <div className={styles.rating}>
            <RatingPrompt task={task} />
          </div>
        </>
      )}
    </Part>
  );
}
