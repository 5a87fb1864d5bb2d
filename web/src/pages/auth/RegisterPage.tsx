import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { AuthCard } from '../../components/auth/AuthCard.tsx';
import { RegisterFields } from '../../components/auth/RegisterFields.tsx';
import { paths } from '../../routes/paths.ts';

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
