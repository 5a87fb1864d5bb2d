import { lazy, Suspense, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { removeTask, useHiddenTasks } from '../../parts/task/pendingDeletes.ts';
import { TaskCard } from '../../parts/task/TaskCard.tsx';
import {
  LIST_FILTERS,
  LIST_ORDERS,
  type ListFilter,
  type ListOrder,
  type ListView,
  PAGE_SIZE,
} from '../../shared/api/taskList.ts';
import { useAgo } from '../../shared/hooks/useAgo.ts';
import { anyHidden } from '../../shared/hooks/useAnyHidden.ts';
import { useHiddenIds } from '../../shared/hooks/useHiddenApplicants.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Later } from '../../shared/ui/Later.tsx';
import { Segmented } from '../../shared/ui/Segmented.tsx';
import { Select } from '../../shared/ui/Select.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { AccountFrame, byAccount } from './AccountFrame.tsx';
import styles from './TaskList.module.css';
import { TaskSkeleton } from './TaskSkeleton.tsx';
import { TasksFailed, TasksLoading } from './TasksPending.tsx';
import { useAwaitedPage } from './useAwaitedPage.ts';
import { useTaskPage } from './useTaskPage.ts';

const EmptyTasks = lazy(async () => ({ default: (await import('./EmptyTasks.tsx')).EmptyTasks }));
const PauseShown = lazy(async () => ({ default: (await import('./severalTasks.ts')).PauseShown }));
const TaskPages = lazy(async () => ({ default: (await import('./severalTasks.ts')).TaskPages }));

/**
 * Number of tasks that are rendered at once, because they are on the first screen of every device.
 */
const FIRST_ROWS = 3;

const noneTexts: Record<ListFilter, TextKey> = {
  all: 'dashboard.emptyTitle',
  running: 'dashboard.noneRunning',
  attention: 'dashboard.noneAttention',
  paused: 'dashboard.nonePaused',
  done: 'dashboard.noneDone',
};

const filterTexts: Record<ListFilter, TextKey> = {
  all: 'dashboard.all',
  running: 'task.monitoring',
  attention: 'task.needsYou',
  paused: 'task.paused',
  done: 'task.completed',
};

const orderTexts: Record<ListOrder, TextKey> = {
  submitted: 'dashboard.sortSubmitted',
  appointment: 'dashboard.sortAppointment',
  next_check: 'dashboard.sortNextCheck',
};

interface Props {
  view: ListView;
  onView: (view: ListView) => void;
}

/** Renders the task list in pages, with a filter and a sort order. */
export function TaskList({ view, onView }: Props) {
  const { t } = useTranslation();
  const ago = useAgo();
  const title = useRef<HTMLHeadingElement>(null);
  const { data, isError, isFetching, isPlaceholderData, dataUpdatedAt, refetch } = useTaskPage(view);
  const gone = useHiddenTasks();
  useAwaitedPage(isPlaceholderData ? undefined : data, view.order, onView);
  const total = data?.total ?? 0;
  const lastPage = Math.max(1, Math.ceil(total / PAGE_SIZE));
  const beyond = data !== undefined && !isPlaceholderData && view.page > lastPage;
  useEffect(() => {
    // The page does not exist. Its last task may have been deleted, or the address may be wrong.
    if (beyond) onView({ ...view, page: lastPage });
  }, [beyond, lastPage, view, onView]);

  const hiddenIds = useHiddenIds();
  const masked = data?.schedules.some((task) => hiddenIds.includes(task.id));
  useEffect(() => {
    if (masked !== undefined) anyHidden.set(masked);
  }, [masked]);

  const turnTo = (page: number) => {
    onView({ ...view, page });
    title.current?.focus({ preventScroll: true });
    title.current?.scrollIntoView?.({ block: 'start' });
  };
  if (!data) return isError ? <TasksFailed busy={isFetching} onRetry={() => void refetch()} /> : <TasksLoading />;
  const tasks = data.schedules.filter((task) => !gone.has(task.id) && task.status !== 'draft' && task.status !== 'configured');
  const shownTotal = total - data.schedules.length + tasks.length;
  const empty = view.filter === 'all' && shownTotal <= 0;
  const several = shownTotal > 1 || view.filter !== 'all';
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
          {several && (
            <>
              <div className={styles.filter}>
                <Segmented
                  label={t('dashboard.filter')}
                  value={view.filter}
                  options={LIST_FILTERS.map((filter) => ({ value: filter, label: t(filterTexts[filter]) }))}
                  onChange={(filter) => onView({ ...view, filter, page: 1 })}
                />
              </div>
              <Select
                label={t('dashboard.sort')}
                hideLabel
                size="small"
                value={view.order}
                options={LIST_ORDERS.map((order) => ({ value: order, label: t(orderTexts[order]) }))}
                onChange={(order) => onView({ ...view, order, page: 1 })}
                className={styles.sort}
              />
              <Suspense fallback={null}>
                <PauseShown tasks={tasks} />
              </Suspense>
            </>
          )}
        </div>
      )}
      {empty && (
        <Suspense fallback={<TaskSkeleton />}>
          <EmptyTasks />
        </Suspense>
      )}
      {!empty && !isPlaceholderData && shownTotal <= 0 && (
        <Alert
          tone="quiet"
          action={
            <Button variant="secondary" size="small" onClick={() => onView({ ...view, filter: 'all', page: 1 })}>
              {t('dashboard.showAll')}
            </Button>
          }
        >
          {t(noneTexts[view.filter])}
        </Alert>
      )}
      {isPlaceholderData ? (
        <TasksLoading />
      ) : (
        tasks.length > 0 && (
          <div className={styles.rows}>
            {byAccount(tasks).map((group) => (
              <AccountFrame key={group[0]?.id} tasks={group}>
                {group.map((task) => (
                  <Later key={task.id} isFirst={tasks.indexOf(task) < FIRST_ROWS}>
                    <TaskCard task={task} alone={!several} onDelete={removeTask} />
                  </Later>
                ))}
              </AccountFrame>
            ))}
          </div>
        )
      )}
      {total > PAGE_SIZE && (
        <Suspense fallback={null}>
          <TaskPages page={Math.min(view.page, lastPage)} total={total} onChange={turnTo} />
        </Suspense>
      )}
    </>
  );
}
