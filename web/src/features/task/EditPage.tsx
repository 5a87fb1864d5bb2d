import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useBlocker, useLocation, useNavigate, useParams } from 'react-router';
import { DiscardDialog, useUnloadGuard } from '../../parts/task/DiscardDialog.tsx';
import { presentTask } from '../../parts/task/highlights.ts';
import { reloadTask } from '../../parts/task/liveUpdates.ts';
import { TaskEditor } from '../../parts/task/TaskEditor.tsx';
import { ApiError } from '../../shared/api/errors.ts';
import { queries } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { PageSkeleton } from '../../shared/ui/PageSkeleton.tsx';

/** What the server answers for a task that is not there (or not ours), and for what is no task's id at all. */
const UNKNOWN = [400, 404, 422];

/** /schedule/edit/{id} */
export function EditPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { key } = useLocation();
  const { id = '' } = useParams();
  const { data, isError, error, refetch } = useQuery({ ...queries.task(id), staleTime: 0 });
  usePageTitle(t('editor.title'));
  const [dirty, setDirty] = useState(false);
  // Saving and Cancel leave on purpose.
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
  // Whoever opened the page by its address has nowhere to go back to.
  const cancel = () => {
    decided.current = true;
    if (key === 'default') navigate(paths.dashboard);
    else navigate(-1);
  };
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 }, maxWidth: '840px !important' }}>
      <Typography variant="h3" component="h1" sx={{ mb: 2.5 }}>
        {t('editor.title')}
      </Typography>
      {data ? (
        <Card>
          <TaskEditor key={data.id} task={data} onDirty={setDirty} onCancel={cancel} onSaved={saved} />
        </Card>
      ) : (
        <Notice
          tone={unknown ? 'warning' : 'error'}
          title={unknown ? t('editor.notFound') : t('editor.loadFailed')}
          action={
            unknown ? (
              <Button variant="outlined" size="small" component={Link} to={paths.dashboard}>
                {t('wizard.toDashboard')}
              </Button>
            ) : (
              <Button variant="outlined" size="small" onClick={() => void refetch()}>
                {t('problem.retry')}
              </Button>
            )
          }
        >
          {unknown ? t('editor.notFoundText') : <Link to={paths.dashboard}>{t('wizard.toDashboard')}</Link>}
        </Notice>
      )}
      {blocker.state === 'blocked' && <DiscardDialog onDiscard={() => blocker.proceed()} onKeep={() => blocker.reset()} />}
    </Container>
  );
}
