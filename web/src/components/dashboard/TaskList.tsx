import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';
import type { Task } from '../../api/types.ts';
import { statusView } from '../../lib/taskView.ts';
import { RUNNING } from '../../lib/verdict.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Segmented } from '../../ui/Segmented.tsx';
import { TaskCard } from '../task/TaskCard.tsx';
import { EmptyTasks } from './EmptyTasks.tsx';
import { TaskSkeleton } from './TaskSkeleton.tsx';
import { useDelete } from './useDelete.ts';

type Filter = 'all' | 'running' | 'done';

const fits: Record<Filter, (task: Task) => boolean> = {
  all: () => true,
  running: (task) => RUNNING.includes(task.status),
  done: (task) => statusView(task).tone === 'done',
};

/** The tasks, in order of creation, with a filter once there is something to filter. */
export function TaskList() {
  const { t } = useTranslation();
  const { data, isError, refetch } = useQuery(queries.tasks());
  const [filter, setFilter] = useState<Filter>('all');
  const { hidden, remove } = useDelete();
  const tasks = (data?.schedules ?? []).filter(
    (task) => !hidden.has(task.id) && task.status !== 'draft' && task.status !== 'configured',
  );
  const shown = tasks.filter(fits[filter]);
  if (!data)
    return isError ? (
      <Notice
        tone="error"
        action={
          <Button variant="outlined" size="small" onClick={() => refetch()}>
            {t('problem.retry')}
          </Button>
        }
      >
        {t('dashboard.loadFailed')}
      </Notice>
    ) : (
      <TaskSkeleton />
    );
  return (
    <>
      {isError && <Notice tone="quiet">{t('dashboard.stale')}</Notice>}
      {tasks.length > 0 && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, mb: -1 }}>
          <Typography component="h2" sx={{ fontSize: 18, fontWeight: 600 }}>
            {t('dashboard.tasks')}
          </Typography>
          <Box component="span" sx={{ fontSize: 14, fontWeight: 500, color: 'text.tertiary', flex: 1 }}>
            {tasks.length}
          </Box>
          {tasks.length > 1 && (
            <Segmented
              label={t('dashboard.filter')}
              value={filter}
              options={[
                { value: 'all', label: t('dashboard.all') },
                { value: 'running', label: t('task.monitoring') },
                { value: 'done', label: t('task.completed') },
              ]}
              onChange={setFilter}
            />
          )}
        </Box>
      )}
      {tasks.length === 0 && <EmptyTasks />}
      {tasks.length > 0 && shown.length === 0 && <Notice tone="quiet">{t('dashboard.noneFits')}</Notice>}
      {shown.map((task) => (
        <TaskCard key={task.id} task={task} onDelete={remove} />
      ))}
    </>
  );
}
