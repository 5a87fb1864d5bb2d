import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { lazy, Suspense, useState, useTransition } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { capabilityWhile } from './capabilities.ts';
import { presentTask } from './highlights.ts';
import { reloadTask } from './liveUpdates.ts';
import { TaskConfig } from './TaskConfig.tsx';

/** With its date pickers a chunk of its own: nobody waits for it before wanting to change something. */
const TaskEditor = lazy(async () => ({ default: (await import('./TaskEditor.tsx')).TaskEditor }));

/** The conditions on the card, and the panel that changes them in place. */
export function Conditions({ task, busy }: { task: Task; busy: boolean }) {
  const { t } = useTranslation();
  const [editing, setEditing] = useState(false);
  const [opening, startOpening] = useTransition();
  const edit = capabilityWhile(busy, task, 'edit');
  const saved = async () => {
    setEditing(false);
    await reloadTask(task.id);
    presentTask(task.id);
  };
  return (
    <Box>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', minHeight: 36, mt: -0.5 }}>
        <Box component="h4" sx={{ fontSize: 13, fontWeight: 600, color: 'text.secondary', m: 0 }}>
          {t('task.conditions')}
        </Box>
        {!editing && (
          <Button
            variant="text"
            size="small"
            disabled={!edit.allowed}
            loading={opening}
            onClick={() => startOpening(() => setEditing(true))}
            sx={{ mr: -1.5, '&.Mui-disabled': { bgcolor: 'transparent' } }}
          >
            {t('task.change')}
          </Button>
        )}
      </Box>
      {editing ? (
        <Box sx={{ border: 1, borderColor: 'divider', borderRadius: '12px', overflow: 'hidden' }}>
          <Suspense fallback={<Skeleton variant="rectangular" height={320} />}>
            <TaskEditor task={task} onCancel={() => setEditing(false)} onSaved={saved} />
          </Suspense>
        </Box>
      ) : (
        <TaskConfig task={task} />
      )}
    </Box>
  );
}
