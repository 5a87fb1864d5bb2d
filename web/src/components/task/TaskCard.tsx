import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../api/types.ts';
import { civilToday } from '../../lib/dates.ts';
import { fromWire } from '../../lib/excludedDates.ts';
import { useHighlighted } from '../../lib/highlights.ts';
import { earlierDates } from '../../lib/taskView.ts';
import type { VerdictAction } from '../../lib/verdict.ts';
import { DateLine } from '../dateline/DateLine.tsx';
import { AppointmentRow } from './AppointmentRow.tsx';
import { EditDialog } from './EditDialog.tsx';
import { SidePanel } from './SidePanel.tsx';
import { SuccessHistory } from './SuccessHistory.tsx';
import { TaskConfig } from './TaskConfig.tsx';
import { TaskFigures } from './TaskFigures.tsx';
import { TaskFooter } from './TaskFooter.tsx';
import { TaskHeader } from './TaskHeader.tsx';
import { UpdatePasswordDialog } from './UpdatePasswordDialog.tsx';
import { useTaskMove } from './useTaskMove.ts';
import { VerdictLine } from './VerdictLine.tsx';

const MOST_APPOINTMENTS = 2;

/** One task, whole: is it working, what did it do, what does it cost, and everything one may change. */
export function TaskCard({ task, onDelete }: { task: Task; onDelete: (task: Task) => void }) {
  const { t } = useTranslation();
  const headingId = useId();
  const [hidden, setHidden] = useState(false);
  const [dialog, setDialog] = useState<'edit' | 'password' | null>(null);
  const move = useTaskMove(task);
  const highlighted = useHighlighted(task.id);
  const params = task.schedule_config.search_params;
  const earlier = earlierDates(task);
  const won = earlier.length > 0;
  const onAction = (action: NonNullable<VerdictAction>) => {
    if (action === 'start') move.delayed.start();
    else setDialog(action === 'edit' ? 'edit' : 'password');
  };
  return (
    <Card
      component="article"
      id={`task-${task.id}`}
      aria-labelledby={headingId}
      sx={{
        containerType: 'inline-size',
        // Below the sticky header.
        scrollMarginTop: '76px',
        transition: 'box-shadow 360ms',
        boxShadow: highlighted ? '0 0 0 3px var(--mui-palette-ring)' : undefined,
      }}
    >
      <Box
        sx={{
          display: 'grid',
          gridTemplateColumns: 'minmax(0,1fr)',
          '@container (min-width: 640px)': { gridTemplateColumns: '128px minmax(0,1fr)' },
        }}
      >
        <SidePanel task={task} hidden={hidden} />
        <Box sx={{ p: { xs: '14px 16px 0', sm: '18px 20px 0' }, minWidth: 0, display: 'grid', gap: 2 }}>
          <TaskHeader
            task={task}
            hidden={hidden}
            move={move}
            headingId={headingId}
            onHide={() => setHidden(!hidden)}
            onEdit={() => setDialog('edit')}
          />
          <VerdictLine task={task} onAction={onAction} />
          <DateLine
            today={civilToday(Date.now())}
            window={{ start: params.start_date, end: params.end_date }}
            excluded={fromWire(params.excluded_dates ?? [])}
            seen={task.seen_dates}
            best={task.earliest_seen?.date}
            present={task.appointments[0]?.appointment_date}
            earlierDates={earlier}
          />
          {!won && <TaskFigures task={task} />}
          {!won && <TaskConfig task={task} />}
          <Box>
            <Box component="h4" sx={{ fontSize: 13, fontWeight: 600, color: 'text.secondary', mb: 1 }}>
              {t('task.appointments')}
            </Box>
            <Box sx={{ display: 'grid', gap: 1 }}>
              {task.appointments.slice(0, MOST_APPOINTMENTS).map((appointment) => (
                <AppointmentRow
                  key={`${appointment.schedule_id}-${appointment.ivr_account_number}`}
                  appointment={appointment}
                  hidden={hidden}
                  attemptsLeft={task.attempts_left}
                />
              ))}
              {task.appointments.length > MOST_APPOINTMENTS && (
                <Box sx={{ fontSize: 13, color: 'text.secondary' }}>
                  {t('task.moreAppointments', { count: task.appointments.length - MOST_APPOINTMENTS })}
                </Box>
              )}
            </Box>
          </Box>
          {task.success_history.length > 0 && <SuccessHistory entries={task.success_history} />}
          {won && <TaskConfig task={task} />}
          {won && <TaskFigures task={task} />}
          <TaskFooter task={task} busy={move.busy} onDelete={() => onDelete(task)} />
        </Box>
      </Box>
      {dialog === 'edit' && <EditDialog task={task} onClose={() => setDialog(null)} />}
      {dialog === 'password' && (
        <UpdatePasswordDialog
          login={{ username: task.visa_credentials.username, countryCode: task.country_code, visaType: task.visa_type }}
          taskIds={[task.id]}
          done="toast.passwordRenewed"
          onClose={() => setDialog(null)}
        />
      )}
    </Card>
  );
}
