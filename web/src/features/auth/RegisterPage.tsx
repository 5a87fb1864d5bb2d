import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { RegisterFields } from '../../parts/account/RegisterFields.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { AuthCard } from './AuthCard.tsx';

const REDIRECT_MS = 3_000;

/** /auth/register */
export function RegisterPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <AuthCard title={t('auth.createAccount')} lead={t('auth.registerLead')} aside="new">
      <RegisterFields delayMs={REDIRECT_MS} onDone={(email) => navigate(paths.login, { state: { registered: email } })} />
    </AuthCard>
  );
}
