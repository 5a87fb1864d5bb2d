import { useTranslation } from 'react-i18next';
import { usePageMessage } from '../../shared/hooks/usePageMessage.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { AddressForm } from './AddressForm.tsx';
import { AuthCard } from './AuthCard.tsx';
import { useResendForm } from './useResendForm.ts';

/**
 * Renders the form that requests another verification mail. The answer is the same for known and
 * unknown addresses.
 */
export function ResendVerificationPage() {
  const { t } = useTranslation();
  const asked = useResendForm(usePageMessage()?.email);
  return (
    <AuthCard title={t('auth.resendTitle')} lead={t('auth.resendLead')} picture={asked.done ? 'mail' : undefined}>
      <AddressForm asked={asked} fallback="auth.resendFailed" button="auth.resendButton">
        {asked.done && (
          <Alert tone="ok" live="status">
            {t('auth.resendDone')}
          </Alert>
        )}
      </AddressForm>
    </AuthCard>
  );
}
