import { useTranslation } from 'react-i18next';
import { sentences } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';

/**
 * Renders the notice that the price is only an estimate, because no price could be loaded. An
 * estimate is never charged.
 */
export function EstimateNotice({ onRetry, retrying }: { onRetry: () => void; retrying: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Alert
      tone="warning"
      live="status"
      title={t('cost.loadFailed')}
      action={
        <Button variant="secondary" size="small" loading={retrying} onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      }
    >
      {sentences([t('cost.allFailed'), t('cost.estimate')], language)}
    </Alert>
  );
}
