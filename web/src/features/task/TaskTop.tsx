import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { capabilityWhile } from '../../parts/task/capabilities.ts';
import { MoveButton } from '../../parts/task/MoveButton.tsx';
import { applicantNames, type SideTone, statusView } from '../../parts/task/taskView.ts';
import type { TaskMove } from '../../parts/task/useTaskMove.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskName } from '../../shared/format/mask.ts';
import { visaClass } from '../../shared/format/visaClass.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { LiveDot } from '../../shared/legacy/LiveDot.tsx';
import { Tag } from '../../shared/legacy/Tag.tsx';
import { paths } from '../../shared/routing/paths.ts';

const tones: Record<SideTone, 'ok' | 'info' | 'quiet' | 'err'> = {
  on: 'ok',
  proc: 'info',
  off: 'quiet',
  done: 'ok',
  err: 'err',
};

/** The way back to all tasks. */
export function BackLink() {
  const { t } = useTranslation();
  return (
    <Button
      component={Link}
      to={paths.dashboard}
      variant="text"
      size="small"
      startIcon={<Icon name="arrowLeft" size={16} />}
      sx={{ ml: -1.5, mb: 0.5 }}
    >
      {t('detail.back')}
    </Button>
  );
}

interface Props {
  task: Task;
  hidden: boolean;
  move: TaskMove;
  onHide: () => void;
  onEdit: () => void;
}

/** Whose task it is, how it stands, and what can be done with it. */
export function TaskTop({ task, hidden, move, onHide, onEdit }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const status = statusView(task);
  const names = applicantNames(task.appointments);
  const shown = names.length > 0 ? names : [task.portal_schedule_id];
  const first = task.appointments[0];
  const reasonId = useId();
  const edit = capabilityWhile(move.busy, task, 'edit');
  const reasons = [...new Set([edit.why, move.busy ? null : move.can.why])].filter((why) => why !== null);
  const eye = hidden ? t('task.show') : t('task.hide');
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: '12px 16px', alignItems: 'flex-end', mb: { xs: 2, md: 3 } }}>
      <Box sx={{ flex: '1 1 320px', minWidth: 0 }}>
        <Typography variant="h3" component="h1">
          {joined(hidden ? shown.map(maskName) : shown, language)}
        </Typography>
        <Box
          sx={{
            display: 'flex',
            flexWrap: 'wrap',
            alignItems: 'center',
            gap: '6px 12px',
            mt: 0.75,
            fontSize: 14,
            lineHeight: 1.6,
            color: 'text.secondary',
          }}
        >
          <Tag tone={tones[status.tone]} icon={status.icon ?? undefined}>
            {status.icon === null && <LiveDot />}
            {t(status.label)}
          </Tag>
          {first?.visa_class && <span>{visaClass(first.visa_class, language)}</span>}
          <span>{t('unit.applicants', { count: task.price.applicants_count || names.length || 1 })}</span>
          <span>{t('detail.number', { number: task.portal_schedule_id })}</span>
        </Box>
      </Box>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, width: { xs: '100%', sm: 'auto' } }}>
        <Button
          variant="outlined"
          size="small"
          disabled={!edit.allowed}
          aria-describedby={edit.allowed ? undefined : reasonId}
          onClick={onEdit}
          startIcon={<Icon name="edit" size={16} />}
          sx={{ order: { sm: 1 } }}
        >
          {t('detail.edit')}
        </Button>
        <Box sx={{ order: { sm: 2 } }}>
          <MoveButton move={move} reasonId={reasonId} />
        </Box>
        <Tooltip title={eye}>
          <IconButton aria-label={eye} aria-pressed={hidden} onClick={onHide} sx={{ ml: { xs: 'auto', sm: 0 } }}>
            <Icon name={hidden ? 'eyeOff' : 'eye'} />
          </IconButton>
        </Tooltip>
      </Box>
      {reasons.length > 0 && (
        <Box id={reasonId} sx={{ flexBasis: '100%', mt: -1, fontSize: 13, color: 'text.secondary', textAlign: { sm: 'right' } }}>
          {reasons.map((why) => t(why)).join(' ')}
        </Box>
      )}
    </Box>
  );
}
