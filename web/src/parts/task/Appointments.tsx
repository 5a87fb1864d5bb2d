import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { AppointmentRow } from './AppointmentRow.tsx';

const MOST = 2;

/** The applications of a task: the first two, then how many more there are. */
export function Appointments({ task, hidden }: { task: Task; hidden: boolean }) {
  const { t } = useTranslation();
  const more = task.appointments.length - MOST;
  return (
    <Box>
      <Box component="h4" sx={{ fontSize: 13, fontWeight: 600, color: 'text.secondary', mt: 0, mb: 1 }}>
        {t('task.appointments')}
      </Box>
      <Box sx={{ display: 'grid', gap: 1 }}>
        {task.appointments.slice(0, MOST).map((appointment) => (
          <AppointmentRow
            key={`${appointment.schedule_id}-${appointment.ivr_account_number}`}
            appointment={appointment}
            hidden={hidden}
            attemptsLeft={task.attempts_left}
          />
        ))}
        {more > 0 && <Box sx={{ fontSize: 13, color: 'text.secondary' }}>{t('task.moreAppointments', { count: more })}</Box>}
      </Box>
    </Box>
  );
}
