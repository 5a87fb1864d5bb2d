import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { AddressForm } from './AddressForm.tsx';
import { AuthCard } from './AuthCard.tsx';
import { useResendForm } from './useResendForm.ts';

/** Sends the verification mail once more; the answer is the same whether the address is known or not. */
export function ResendVerificationPage() {
  const { t } = useTranslation();
  const from = useLocation().state as { email?: string } | null;
  const asked = useResendForm(from?.email ?? '');
  return (
    <AuthCard title={t('auth.resendTitle')} lead={t('auth.resendLead')} picture={asked.done ? 'mail' : undefined}>
      <AddressForm asked={asked} fallback="auth.resendFailed" button="auth.resendButton">
        {asked.done && (
          <Notice tone="ok" live="status">
            {t('auth.resendDone')}
          </Notice>
        )}
      </AddressForm>
    </AuthCard>
  );
}
