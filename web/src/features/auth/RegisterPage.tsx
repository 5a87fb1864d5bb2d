import { useTranslation } from 'react-i18next';
import { RegisterFields } from '../../parts/account/RegisterFields.tsx';
import { RegisterLead } from '../../parts/account/RegisterLead.tsx';
import { leaveNote } from '../../shared/browser/note.ts';
import { useNext } from '../../shared/hooks/useNext.ts';
import { paths } from '../../shared/routing/paths.ts';
import { useGo } from '../../shared/ui/Link.tsx';
import { AuthCard } from './AuthCard.tsx';

const REDIRECT_MS = 3_000;

/** /auth/register */
export function RegisterPage() {
  const { t } = useTranslation();
  const go = useGo();
  const next = useNext();
  const toSignIn = (email: string) => {
    leaveNote({ registered: email });
    go(next(paths.login));
  };
  return (
    <AuthCard title={t('auth.createAccount')} lead={<RegisterLead />} aside="new">
      <RegisterFields delayMs={REDIRECT_MS} onDone={toSignIn} />
    </AuthCard>
  );
}
