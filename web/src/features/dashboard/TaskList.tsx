import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { removeTask, useHiddenTasks } from '../../parts/task/pendingDeletes.ts';
import { TaskCard } from '../../parts/task/TaskCard.tsx';
import { type ListFilter, type ListView, PAGE_SIZE } from '../../shared/api/taskList.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Segmented } from '../../shared/ui/Choices.tsx';
import { EmptyTasks } from './EmptyTasks.tsx';
import { TasksFailed, TasksLoading } from './TasksPending.tsx';
import { useAwaitedPage } from './useAwaitedPage.ts';
import { useTaskPage } from './useTaskPage.ts';

const Pages = lazy(async () => ({ default: (await import('./Pages.tsx')).Pages }));

const noneWords: Record<ListFilter, Words> = {
  all: 'dashboard.emptyTitle',
  running: 'dashboard.noneRunning',
  done: 'dashboard.noneDone',
};

interface Props {
  view: ListView;
  onView: (view: ListView) => void;
}

/** The tasks, newest first, a page at a time, all of them or those of one kind. */
export function TaskList({ view, onView }: Props) {
  const { t } = useTranslation();
  const ago = useAgo();
  const title = useRef<HTMLHeadingElement>(null);
  const { data, isError, isFetching, isPlaceholderData, dataUpdatedAt, refetch } = useTaskPage(view);
  const gone = useHiddenTasks();
  useAwaitedPage(isPlaceholderData ? undefined : data, onView);
  const total = data?.total ?? 0;
  const lastPage = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const beyond = data !== undefined && !isPlaceholderData && view.page > lastPage;
  useEffect(() => {
    // The last task of the last page may have gone, or the address names a page that never was.
    if (beyond) onView({ ...view, page: lastPage });
  }, [beyond, lastPage, view, onView]);

  const turnTo = (page: number) => {
    onView({ ...view, page });
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView?.({ block: 'start' });
  };
  if (!data) return isError ? <TasksFailed busy={isFetching} onRetry={() => void refetch()} /> : <TasksLoading />;
  const tasks = data.schedules.filter((task) => !gone.has(task.id) && task.status !== 'draft' && task.status !== 'configured');
  const shownTotal = total - data.schedules.length + tasks.length;
  const empty = view.filter === 'all' && shownTotal <= 0;
  return (
    <>
      {isError && <Notice tone="quiet">{t('dashboard.stale', { ago: ago(new Date(dataUpdatedAt).toISOString()) })}</Notice>}
      {!empty && (
        <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1.5, mb: -1 }}>
          <Typography
            ref={title}
            tabIndex={-1}
            component="h2"
            sx={{ fontSize: 18, fontWeight: 600, outline: 'none', scrollMarginTop: '88px' }}
          >
            {t('dashboard.tasks')}
          </Typography>
          <Box component="span" sx={{ fontSize: 14, fontWeight: 500, color: 'text.tertiary', flex: 1 }}>
            {shownTotal}
          </Box>
          {(shownTotal > 1 || view.filter !== 'all') && (
            <Segmented
              label={t('dashboard.filter')}
              value={view.filter}
              options={[
                { value: 'all', label: t('dashboard.all') },
                { value: 'running', label: t('task.monitoring') },
                { value: 'done', label: t('task.completed') },
              ]}
              onChange={(filter) => onView({ filter, page: 1 })}
            />
          )}
        </Box>
      )}
      {empty && <EmptyTasks />}
      {!empty && !isPlaceholderData && shownTotal <= 0 && (
        <Notice
          tone="quiet"
          action={
            <Button variant="outlined" size="small" onClick={() => onView({ filter: 'all', page: 1 })}>
              {t('dashboard.showAll')}
            </Button>
          }
        >
          {t(noneWords[view.filter])}
        </Notice>
      )}
      {isPlaceholderData ? <TasksLoading /> : tasks.map((task) => <TaskCard key={task.id} task={task} onDelete={removeTask} />)}
      {total > PAGE_SIZE && (
        <Suspense fallback={null}>
          <Pages page={Math.min(view.page, lastPage)} total={total} onChange={turnTo} />
        </Suspense>
      )}
    </>
  );
}
