import { useTranslation } from 'react-i18next';
import { useNote } from '../../shared/hooks/useNote.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { AddressForm } from './AddressForm.tsx';
import { AuthCard } from './AuthCard.tsx';
import { useResendForm } from './useResendForm.ts';

/** Sends the verification mail once more; the answer is the same whether the address is known or not. */
export function ResendVerificationPage() {
  const { t } = useTranslation();
  const asked = useResendForm(useNote()?.email);
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
