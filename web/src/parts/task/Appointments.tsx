import { useTranslation } from 'react-i18next';
import type { Appointment, Task } from '../../shared/api/types.ts';
import { AppointmentRow } from './AppointmentRow.tsx';
import styles from './Appointments.module.css';
import card from './TaskCard.module.css';

const MOST = 2;

/**
 * Renders the visa applications of a task: the first two, then the number of others. A date that
 * the heading of the card shows is omitted.
 */
export function Appointments({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const more = task.appointments.length - MOST;
  const [first] = task.appointments;
  const isHeadline = (one: Appointment) =>
    one.appointment_date === first?.appointment_date &&
    one.appointment_time === first?.appointment_time &&
    one.facility === first?.facility;
  return (
    <div>
      <h4 className={card.heading}>{t('task.appointments')}</h4>
      <div className={styles.list}>
        {task.appointments.slice(0, MOST).map((appointment) => (
          <AppointmentRow
            key={`${appointment.schedule_id}-${appointment.ivr_account_number}`}
            appointment={appointment}
            headline={isHeadline(appointment)}
            alone={task.appointments.length === 1}
            hidden={hidden}
            attemptsLeft={task.attempts_left}
          />
        ))}
        {more > 0 && <p className={styles.who}>{t('task.moreAppointments', { count: more })}</p>}
      </div>
    </div>
  );
}
