import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { VisuallyHidden } from '../../shared/ui/Text.tsx';
import { TaskSkeleton } from './TaskSkeleton.tsx';

const SLOW_MS = 4_000;

/**
 * Renders the loading state of the task list: a skeleton, a text after a while, and a notice if
 * there is no network.
 */
export function TasksLoading() {
  const { t } = useTranslation();
  const online = useOnline();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!online) return <Alert tone="quiet">{t('dashboard.offline')}</Alert>;
  return (
    <>
      <div role="status">
        {slow ? <Alert tone="quiet">{t('dashboard.slow')}</Alert> : <VisuallyHidden>{t('dashboard.loading')}</VisuallyHidden>}
      </div>
      <TaskSkeleton />
      <TaskSkeleton />
    </>
  );
}

/** Renders the error that the tasks could not be loaded, with a retry button. */
export function TasksFailed({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Alert
      tone="error"
      action={
        <Button variant="secondary" size="small" loading={busy} onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      }
    >
      {t('dashboard.loadFailed')}
    </Alert>
  );
}
