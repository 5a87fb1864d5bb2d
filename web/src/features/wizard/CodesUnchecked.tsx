import { useTranslation } from 'react-i18next';
import { useWaitTexts } from '../../parts/balance/useWaitTexts.ts';
import { ApiError } from '../../shared/api/errors.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Row } from '../../shared/ui/Layout.tsx';
import { forgetPriceCodes } from './priceCodes.ts';

interface Props {
  error: Error;
  /** Time of the failure, in ms. */
  failedAt: number;
  asking: boolean;
  onRetry: () => void;
}

/**
 * Renders the error that the codes could not be checked, so that the price is unknown. The user can
 * retry or continue without codes.
 */
export function CodesUnchecked({ error, failedAt, asking, onRetry }: Props) {
  const { t } = useTranslation();
  const seconds = error instanceof ApiError ? error.retryAfter : null;
  const wait = useWaitTexts(seconds === null ? 0 : failedAt + seconds * 1_000);
  return (
    <Alert
      tone="error"
      live="alert"
      title={t('codes.unchecked')}
      action={
        <Row>
          <Button variant="secondary" size="small" loading={asking} disabled={wait !== null} onClick={onRetry}>
            {t('problem.retry')}
          </Button>
          <Button variant="ghost" size="small" onClick={forgetPriceCodes}>
            {t('codes.without')}
          </Button>
        </Row>
      }
    >
      {wait === null ? t(errorText(error, 'problem.unexpected')) : t('problem.tooManyWait', { wait })}
    </Alert>
  );
}
