import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Task } from '../../shared/api/types.ts';
import { instantShort } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { capability, capabilityWhile } from './capabilities.ts';

/** The card's last line: the deadline for changes or what is still to come, the deletion, and the way to the task's own page. */
export function TaskFooter({ task, busy, onDelete }: { task: Task; busy: boolean; onDelete: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const remove = capabilityWhile(busy, task, 'delete');
  const note = task.change_deadline
    ? t('task.deadline', { when: instantShort(task.change_deadline, language) })
    : task.success_history.length === 0
      ? t('task.historyHere')
      : t('task.looks', { count: task.engine.checks });
  // The countdown's reason stands in the header already.
  const why = busy ? null : capability(task, 'delete').why;
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        alignItems: 'center',
        justifyContent: 'flex-end',
        gap: '0 4px',
        borderTop: 1,
        borderColor: 'divider',
        mx: { xs: -2, sm: -2.5 },
        p: { xs: '6px 8px 6px 16px', sm: '6px 12px 6px 20px' },
        fontSize: 14,
        color: 'text.tertiary',
      }}
    >
      <Box component="span" sx={{ flex: { xs: '1 1 100%', sm: '1 1 0' }, pt: { xs: 0.5, sm: 0 } }}>
        {note}
        {why && <Box sx={{ fontSize: 13 }}>{t(why)}</Box>}
      </Box>
      <Button
        variant="text"
        color="error"
        size="small"
        onClick={onDelete}
        disabled={!remove.allowed}
        sx={{ '&.Mui-disabled': { bgcolor: 'transparent' } }}
        startIcon={<Icon name="trash" size={16} />}
      >
        {t('task.delete')}
      </Button>
      <Button
        component={Link}
        to={paths.task(task.id)}
        variant="text"
        size="small"
        endIcon={<Icon name="chevronRight" size={16} />}
      >
        {t('task.details')}
      </Button>
    </Box>
  );
}
