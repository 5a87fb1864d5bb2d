import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { TaskSkeleton } from './TaskSkeleton.tsx';

const SLOW_MS = 4_000;

/** While tasks come: the shape of what comes; after a while, that it takes long; offline, that nothing comes now. */
export function TasksLoading() {
  const { t } = useTranslation();
  const online = useOnline();
  const [slow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!online) return <Notice tone="quiet">{t('dashboard.offline')}</Notice>;
  return (
    <>
      <Box
        role="status"
        sx={slow ? undefined : { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' }}
      >
        {slow ? <Notice tone="quiet">{t('dashboard.slow')}</Notice> : t('dashboard.loading')}
      </Box>
      <TaskSkeleton />
      <TaskSkeleton />
    </>
  );
}

/** Tasks that did not come, and the way to ask again. */
export function TasksFailed({ busy, onRetry }: { busy: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <Notice
      tone="error"
      action={
        <Button variant="outlined" size="small" loading={busy} onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      }
    >
      {t('dashboard.loadFailed')}
    </Notice>
  );
}
