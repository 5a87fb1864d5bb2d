import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { ApplicantNames } from './ApplicantNames.tsx';
import { capabilityWhile } from './capabilities.ts';
import { MoveButton } from './MoveButton.tsx';
import { TaskMeta } from './TaskMeta.tsx';
import { applicantNames } from './taskView.ts';
import type { TaskMove } from './useTaskMove.ts';

interface Props {
  task: Task;
  hidden: boolean;
  move: TaskMove;
  headingId: string;
  onHide: () => void;
  onEdit: () => void;
}

/** Who the task is for, and what can be done with it; what can not says why under the buttons. */
export function TaskHeader({ task, hidden, move, headingId, onHide, onEdit }: Props) {
  const { t } = useTranslation();
  const reasonId = useId();
  const names = applicantNames(task.appointments);
  const edit = capabilityWhile(move.busy, task, 'edit');
  const reasons = [...new Set([edit.why, move.busy ? null : move.can.why])].filter((why) => why !== null);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px', alignItems: 'flex-start' }}>
      <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
        <Box component="h3" id={headingId} sx={{ fontSize: 16, fontWeight: 600, lineHeight: 1.5 }}>
          <ApplicantNames names={names.length > 0 ? names : [task.portal_schedule_id]} hidden={hidden} />
        </Box>
        <TaskMeta task={task} hidden={hidden} />
      </Box>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.25,
          mt: { xs: 0.5, sm: -0.5 },
          ml: { xs: -1, sm: 0 },
          flex: { xs: '1 1 100%', sm: 'none' },
        }}
      >
        <Tooltip title={hidden ? t('task.show') : t('task.hide')}>
          <IconButton aria-label={hidden ? t('task.show') : t('task.hide')} aria-pressed={hidden} onClick={onHide}>
            <Icon name={hidden ? 'eyeOff' : 'eye'} />
          </IconButton>
        </Tooltip>
        <Tooltip title={t('task.edit')}>
          <span>
            <IconButton
              aria-label={t('task.edit')}
              aria-describedby={edit.allowed ? undefined : reasonId}
              onClick={onEdit}
              disabled={!edit.allowed}
            >
              <Icon name="edit" />
            </IconButton>
          </span>
        </Tooltip>
        <Box sx={{ ml: { xs: 'auto', sm: 0.75 } }}>
          <MoveButton move={move} reasonId={reasonId} />
        </Box>
      </Box>
      {reasons.length > 0 && (
        <Box id={reasonId} sx={{ flexBasis: '100%', fontSize: 13, color: 'text.tertiary', textAlign: { sm: 'right' } }}>
          {reasons.map((why) => t(why)).join(' ')}
        </Box>
      )}
    </Box>
  );
}
