import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../api/types.ts';
import { joined } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { maskEmail, maskName } from '../../lib/mask.ts';
import { applicantNames } from '../../lib/taskView.ts';
import { visaClass } from '../../lib/visaClass.ts';
import { Icon } from '../../ui/Icon.tsx';
import { MoveButton } from './MoveButton.tsx';
import type { TaskMove } from './useTaskMove.ts';

interface Props {
  task: Task;
  hidden: boolean;
  move: TaskMove;
  headingId: string;
  onHide: () => void;
  onEdit: () => void;
}

/** Who the task is for, and what can be done with it. */
export function TaskHeader({ task, hidden, move, headingId, onHide, onEdit }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const names = applicantNames(task.appointments);
  const shownNames = names.length > 0 ? names : [task.portal_schedule_id];
  const first = task.appointments[0];
  const account = task.visa_credentials.username;
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '4px 12px', alignItems: 'flex-start' }}>
      <Box sx={{ flex: '1 1 260px', minWidth: 0 }}>
        <Box component="h3" id={headingId} sx={{ fontSize: 17, fontWeight: 600, lineHeight: 1.5 }}>
          {joined(hidden ? shownNames.map(maskName) : shownNames, language)}
        </Box>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '0 12px', fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
          {first?.visa_class && <span>{visaClass(first.visa_class, language)}</span>}
          <span>{t('unit.applicants', { count: task.price.applicants_count || names.length || 1 })}</span>
          <Box component="span" sx={{ overflowWrap: 'anywhere' }}>
            {hidden ? maskEmail(account) : account}
          </Box>
        </Box>
      </Box>
      <Box
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: 0.25,
          mt: -0.5,
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
            <IconButton aria-label={t('task.edit')} onClick={onEdit} disabled={move.busy}>
              <Icon name="edit" />
            </IconButton>
          </span>
        </Tooltip>
        <Box sx={{ ml: { xs: 'auto', sm: 0.75 } }}>
          <MoveButton move={move} />
        </Box>
      </Box>
    </Box>
  );
}
