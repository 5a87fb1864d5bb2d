import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../api/types.ts';
import { instantShort } from '../../i18n/format.ts';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { Icon } from '../../ui/Icon.tsx';

/** The card's last line: the deadline for changes or what is still to come, and the deletion. */
export function TaskFooter({ task, busy, onDelete }: { task: Task; busy: boolean; onDelete: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const note = task.change_deadline
    ? t('task.deadline', { when: instantShort(task.change_deadline, language) })
    : task.success_history.length === 0
      ? t('task.historyHere')
      : t('task.looks', { count: task.engine.checks });
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'space-between',
        gap: 1.5,
        borderTop: 1,
        borderColor: 'divider',
        mx: { xs: -2, sm: -2.5 },
        p: { xs: '6px 8px 6px 16px', sm: '6px 12px 6px 20px' },
        fontSize: 14,
        color: 'text.tertiary',
      }}
    >
      <span>{note}</span>
      <Button
        variant="text"
        color="error"
        size="small"
        onClick={onDelete}
        disabled={busy}
        startIcon={<Icon name="trash" size={16} />}
      >
        {t('task.delete')}
      </Button>
    </Box>
  );
}
