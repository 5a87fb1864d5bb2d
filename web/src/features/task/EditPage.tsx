import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useBlocker, useLocation, useNavigate, useParams } from 'react-router';
import { presentTask } from '../../parts/task/highlights.ts';
import { TaskEditor } from '../../parts/task/TaskEditor.tsx';
import { reloadTask } from '../../parts/task/taskCache.ts';
import { useUnloadGuard } from '../../parts/task/useUnloadGuard.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { JUST_READ_MS, queries } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Card } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Container } from '../../shared/ui/Layout.tsx';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './EditPage.module.css';
import layout from './layout.module.css';

/** Response statuses for a missing task, another user's task, and an invalid id. */
const UNKNOWN = [400, 404, 422];

const DiscardDialog = lazyComponent(async () => (await import('../../parts/task/DiscardDialog.tsx')).DiscardDialog);

/** Renders /schedule/edit/{id}, the editor of a task on a separate page. */
export function EditPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { key } = useLocation();
  const { id = '' } = useParams();
  const { data, isError, error, refetch } = useQuery({ ...queries.task(id), staleTime: JUST_READ_MS });
  usePageTitle(t('editor.title'));
  const [dirty, setDirty] = useState(false);
  // True after *Save* or *Cancel*. Leaving the page then needs no confirmation.
  const decided = useRef(false);
  const blocker = useBlocker(() => dirty && !decided.current);
  useUnloadGuard(dirty);
  if (!data && !isError) return <PageSkeleton />;
  const unknown = error instanceof ApiError && UNKNOWN.includes(error.status);
  const saved = async () => {
    decided.current = true;
    await reloadTask(id);
    presentTask(id);
    navigate(paths.dashboard);
  };
  // A user who opened the page by its address has no previous page.
  const cancel = () => {
    decided.current = true;
    if (key === 'default') navigate(paths.dashboard);
    else navigate(-1);
  };
  return (
    <Container className={classes(layout.frame, layout.narrow)}>
      <Text as="h1" variant="h2" className={styles.title}>
        {t('editor.title')}
      </Text>
      {data ? (
        <Card>
          <TaskEditor
            key={data.id}
            task={data}
            onDirty={setDirty}
            failed="editor.pageUpdateFailed"
            onCancel={cancel}
            onSaved={saved}
          />
        </Card>
      ) : (
        <Alert
          tone={unknown ? 'warning' : 'error'}
          title={unknown ? t('editor.notFound') : t('editor.pageLoadFailed')}
          action={
            unknown ? (
              <ButtonLink variant="secondary" size="small" render={<Link to={paths.dashboard} />}>
                {t('wizard.toDashboard')}
              </ButtonLink>
            ) : (
              <Button variant="secondary" size="small" onClick={() => void refetch()}>
                {t('problem.retry')}
              </Button>
            )
          }
        >
          {unknown ? (
            t('editor.notFoundText')
          ) : (
            <>
              {t('editor.loadFailed')} · <Link to={paths.dashboard}>{t('wizard.toDashboard')}</Link>
            </>
          )}
        </Alert>
      )}
      {blocker.state === 'blocked' && <DiscardDialog onDiscard={() => blocker.proceed()} onKeep={() => blocker.reset()} />}
    </Container>
  );
}
