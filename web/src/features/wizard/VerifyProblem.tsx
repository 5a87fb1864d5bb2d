import { useTranslation } from 'react-i18next';
import { ApiError, hasCode, NETWORK_ERROR } from '../../shared/api/errors.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { NO_APPOINTMENTS } from './useVerify.ts';

interface Props {
  error: unknown;
  title: string;
  /** Called to retry with the typed values. Absent if a retry cannot help. */
  onRetry?: () => void;
}

const worthRetrying = (error: unknown) => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/**
 * Renders why a sign-in at the portal failed, and the remedy. `title` is a text for a known reason.
 */
export function VerifyProblem({ error, title, onRetry }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (hasCode(error, NO_APPOINTMENTS))
    return (
      <Alert tone="warning" live="alert" title={t('verify.noneTitle')}>
        {t('verify.noneText')}
      </Alert>
    );
  const until = hasCode(error, 'PORTAL_ACCOUNT_LOCKED') ? (error.data as { until?: string | null } | null)?.until : null;
  const wait = error instanceof ApiError ? error.retryAfter : null;
  const textKey = hasCode(error, NETWORK_ERROR) ? 'verify.lost' : errorText(error, 'verify.check');
  return (
    <Alert
      tone="error"
      title={textKey === 'verify.check' ? t('verify.credentialsFailed') : title}
      action={
        onRetry && worthRetrying(error) ? (
          <Button variant="secondary" size="small" onClick={onRetry}>
            {t('problem.retry')}
          </Button>
        ) : undefined
      }
    >
      {until ? t('verify.lockedUntil', { when: instantInFull(until, language) }) : t(textKey)}
      {wait !== null && wait > 0 && (
        <>
          {' '}
          {t('verify.retryIn', {
            wait:
              wait > 90 ? t('problem.waitMinutes', { count: Math.ceil(wait / 60) }) : t('problem.waitSeconds', { count: wait }),
          })}
        </>
      )}
    </Alert>
  );
}
