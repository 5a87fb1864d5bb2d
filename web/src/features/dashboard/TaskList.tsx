import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { removeTask, useHiddenTasks } from '../../parts/task/pendingDeletes.ts';
import { TaskCard } from '../../parts/task/TaskCard.tsx';
import { LIST_FILTERS, type ListFilter, type ListView, PAGE_SIZE } from '../../shared/api/taskList.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Later } from '../../shared/ui/Later.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { EmptyTasks } from './EmptyTasks.tsx';
import styles from './TaskList.module.css';
import { TasksFailed, TasksLoading } from './TasksPending.tsx';
import { useAwaitedPage } from './useAwaitedPage.ts';
import { useTaskPage } from './useTaskPage.ts';

const TaskPages = lazy(async () => ({ default: (await import('./TaskPages.tsx')).TaskPages }));

const noneWords: Record<ListFilter, Words> = {
  all: 'dashboard.emptyTitle',
  running: 'dashboard.noneRunning',
  attention: 'dashboard.noneAttention',
  paused: 'dashboard.nonePaused',
  done: 'dashboard.noneDone',
};

const filterWords: Record<ListFilter, Words> = {
  all: 'dashboard.all',
  running: 'task.monitoring',
  attention: 'task.needsYou',
  paused: 'task.paused',
  done: 'task.completed',
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
      {isError && <Alert tone="quiet">{t('dashboard.stale', { ago: ago(new Date(dataUpdatedAt).toISOString()) })}</Alert>}
      {!empty && (
        <div className={styles.head}>
          <h2 ref={title} tabIndex={-1} className={styles.title}>
            {t('dashboard.tasks')}
          </h2>
          <Text as="span" variant="label" color="tertiary" className={styles.count}>
            {shownTotal}
          </Text>
          {(shownTotal > 1 || view.filter !== 'all') && (
            <div className={styles.filter}>
              <Segmented
                label={t('dashboard.filter')}
                value={view.filter}
                options={LIST_FILTERS.map((filter) => ({ value: filter, label: t(filterWords[filter]) }))}
                onChange={(filter) => onView({ filter, page: 1 })}
              />
            </div>
          )}
        </div>
      )}
      {empty && <EmptyTasks />}
      {!empty && !isPlaceholderData && shownTotal <= 0 && (
        <Alert
          tone="quiet"
          action={
            <Button variant="secondary" size="small" onClick={() => onView({ filter: 'all', page: 1 })}>
              {t('dashboard.showAll')}
            </Button>
          }
        >
          {t(noneWords[view.filter])}
        </Alert>
      )}
      {isPlaceholderData ? (
        <TasksLoading />
      ) : (
        tasks.map((task, index) => (
          <Later key={task.id} isFirst={index === 0}>
            <TaskCard task={task} onDelete={removeTask} />
          </Later>
        ))
      )}
      {total > PAGE_SIZE && (
        <Suspense fallback={null}>
          <TaskPages page={Math.min(view.page, lastPage)} total={total} onChange={turnTo} />
        </Suspense>
      )}
    </>
  );
}
