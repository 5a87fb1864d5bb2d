import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Notice } from '../../shared/legacy/Notice.tsx';

/** No price could be had: what is shown is our guess, which charges nobody. */
export function EstimateNotice({ onRetry, retrying }: { onRetry: () => void; retrying: boolean }) {
  const { t } = useTranslation();
  return (
    <Notice
      tone="warning"
      live="status"
      title={t('cost.loadFailed')}
      action={
        <Button variant="outlined" size="small" loading={retrying} onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      }
    >
      {t('cost.allFailed')} {t('cost.estimate')}
    </Notice>
  );
}
