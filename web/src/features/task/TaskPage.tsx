import { useQuery } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { useHiddenTasks } from '../../parts/task/pendingDeletes.ts';
import { applicantNames } from '../../parts/task/taskView.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { JUST_READ_MS, queries, queryClient } from '../../shared/api/queries.ts';
import type { Task } from '../../shared/api/types.ts';
import { maskName } from '../../shared/format/mask.ts';
import { useHiddenApplicants } from '../../shared/hooks/useHiddenApplicants.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Container, Stack } from '../../shared/ui/Layout.tsx';
import { DetailSkeleton } from './DetailSkeleton.tsx';
import layout from './layout.module.css';
import { detailQueries } from './queries.ts';
import { TaskDetail } from './TaskDetail.tsx';
import { BackLink } from './TaskTop.tsx';

/** Response statuses for a missing task, another user's task, and an invalid id. */
const UNKNOWN = [400, 404, 422];
const POLL_MS = 30_000;

/**
 * Reloads the cards of the page when the task changes, because of a new version or another poll.
 */
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

/** Renders /schedule/:id, the page of a task. */
export function TaskPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const { id = '' } = useParams();
  const { data, isError, error, isFetching, refetch } = useQuery({
    ...queries.task(id),
    staleTime: JUST_READ_MS,
    refetchInterval: POLL_MS,
  });
  const [hidden, toggleHidden] = useHiddenApplicants(id);
  const [known, setKnown] = useState(false);
  const leaving = useHiddenTasks().has(id);
  const [left, setLeft] = useState(false);
  const names = data ? applicantNames(data.appointments) : [];
  usePageTitle(names.length > 0 ? joined(hidden ? names.map(maskName) : names, language) : t('detail.title'));
  useFreshParts(data);
  const unknown = error instanceof ApiError && UNKNOWN.includes(error.status);
  if (data && !known) setKnown(true);
  if (leaving && !left) setLeft(true);

  // The user has deleted the task on this page, so the dashboard opens.
  const gone = unknown && left && !leaving;
  useEffect(() => {
    if (gone) navigate(paths.dashboard, { replace: true });
  }, [gone, navigate]);

  if (leaving)
    return (
      <Frame>
        <Alert tone="quiet" live="status" title={t('detail.deleting')} icon={Trash2}>
          {t('detail.deletingText')}
        </Alert>
      </Frame>
    );
  if (unknown)
    return (
      <Frame>
        <Alert
          tone="warning"
          live="alert"
          title={known ? t('detail.deletedTitle') : t('editor.notFound')}
          action={
            <ButtonLink variant="secondary" size="small" render={<Link to={paths.dashboard} />}>
              {t('wizard.toDashboard')}
            </ButtonLink>
          }
        >
          {known ? t('detail.deletedText') : t('editor.notFoundText')}
        </Alert>
      </Frame>
    );
  const retry = (
    <Button variant="secondary" size="small" loading={isFetching} onClick={() => void refetch()}>
      {t('problem.retry')}
    </Button>
  );
  if (!data && isError)
    return (
      <Frame>
        <Alert tone="error" title={t('editor.loadFailed')} action={retry} />
      </Frame>
    );
  if (!data) return <DetailSkeleton />;
  return (
    <Frame>
      <Stack>
        {isError && (
          <Alert tone="quiet" action={retry}>
            {t('dashboard.stale')}
          </Alert>
        )}
        <div>
          <TaskDetail task={data} hidden={hidden} onHide={toggleHidden} />
        </div>
      </Stack>
    </Frame>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <Container className={layout.frame}>
      <BackLink />
      {children}
    </Container>
  );
}
