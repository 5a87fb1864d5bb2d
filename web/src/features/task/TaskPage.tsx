import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { useHiddenPeople } from '../../parts/task/hiddenPeople.ts';
import { useHiddenTasks } from '../../parts/task/pendingDeletes.ts';
import { applicantNames } from '../../parts/task/taskView.ts';
import { detailQueries } from '../../shared/api/detail.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskName } from '../../shared/format/mask.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { DetailSkeleton } from './DetailSkeleton.tsx';
import { TaskDetail } from './TaskDetail.tsx';
import { BackLink } from './TaskTop.tsx';

/** What the server answers for a task that is not there (or not ours), and for what is no task's id at all. */
const UNKNOWN = [400, 404, 422];
const POLL_MS = 30_000;

/** Reads the parts of the page again when the task has moved on: a new version, or another look. */
function useFreshParts(task: Task | undefined): void {
  const state = task && `${task.id} ${task.version} ${task.engine.checks}`;
  const last = useRef(state);
  useEffect(() => {
    const before = last.current;
    last.current = state;
    if (!task || !before || before === state || !before.startsWith(task.id)) return;
    void queryClient.invalidateQueries({ queryKey: detailQueries.all(task.id) });
  }, [state, task]);
}

/** /schedule/:id */
export function TaskPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const { id = '' } = useParams();
  const { data, isError, error, isFetching, refetch } = useQuery({ ...queries.task(id), staleTime: 0, refetchInterval: POLL_MS });
  const [hidden, toggleHidden] = useHiddenPeople(id);
  const known = useRef(false);
  const leaving = useHiddenTasks().has(id);
  const left = useRef(false);
  const names = data ? applicantNames(data.appointments) : [];
  usePageTitle(names.length > 0 ? joined(hidden ? names.map(maskName) : names, language) : t('detail.title'));
  useFreshParts(data);
  const unknown = error instanceof ApiError && UNKNOWN.includes(error.status);
  if (data) known.current = true;
  if (leaving) left.current = true;

  // Deleted here and for good: there is nothing left to show.
  const gone = unknown && left.current && !leaving;
  useEffect(() => {
    if (gone) navigate(paths.dashboard, { replace: true });
  }, [gone, navigate]);

  if (leaving)
    return (
      <Frame>
        <Notice tone="quiet" live="status" title={t('detail.deleting')} icon="trash">
          {t('detail.deletingText')}
        </Notice>
      </Frame>
    );
  if (unknown)
    return (
      <Frame>
        <Notice
          tone="warning"
          live="alert"
          title={known.current ? t('detail.deletedTitle') : t('editor.notFound')}
          action={
            <Button variant="outlined" size="small" component={Link} to={paths.dashboard}>
              {t('wizard.toDashboard')}
            </Button>
          }
        >
          {known.current ? t('detail.deletedText') : t('editor.notFoundText')}
        </Notice>
      </Frame>
    );
  const retry = (
    <Button variant="outlined" size="small" loading={isFetching} onClick={() => void refetch()}>
      {t('problem.retry')}
    </Button>
  );
  if (!data && isError)
    return (
      <Frame>
        <Notice tone="error" title={t('editor.loadFailed')} action={retry} />
      </Frame>
    );
  if (!data) return <DetailSkeleton />;
  return (
    <Frame>
      {isError && (
        <Box sx={{ mb: 2 }}>
          <Notice tone="quiet" action={retry}>
            {t('dashboard.stale')}
          </Notice>
        </Box>
      )}
      <TaskDetail task={data} hidden={hidden} onHide={toggleHidden} />
    </Frame>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <BackLink />
      {children}
    </Container>
  );
}
