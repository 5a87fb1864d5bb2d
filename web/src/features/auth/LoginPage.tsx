import { Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { PageMessage } from '../../shared/browser/pageMessage.ts';
import { usePageMessage } from '../../shared/hooks/usePageMessage.ts';
import { nextOf } from '../../shared/routing/origin.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { AuthCard } from './AuthCard.tsx';
import { CodeStep } from './CodeStep.tsx';
import { PasswordStep } from './PasswordStep.tsx';
import { useLoginForm } from './useLoginForm.ts';
import { usePreloaded } from './usePreloaded.ts';

const REDIRECT_MS = 1_500;

/**
 * Renders /auth/login. The session starts 1.5 s after a successful sign-in. Then `GuestsOnly`
 * redirects to the requested page.
 */
export function LoginPage() {
  const { t } = useTranslation();
  const arrival = usePageMessage();
  const login = useLoginForm({ email: arrival?.registered ?? arrival?.email, link: arrival?.link, delayMs: REDIRECT_MS });
  usePreloaded(() => nextOf(window.location.search), login.busy);
  if (login.step === 'code')
    return (
      <AuthCard title={t('auth.totpTitle')} lead={t(login.recovery ? 'auth.totpLeadRecovery' : 'auth.totpLead')}>
        <CodeStep login={login} />
      </AuthCard>
    );
  return (
    <AuthCard title={t('auth.signIn')} lead={t('auth.loginLead')}>
      <PasswordStep login={login} notice={arrival && !login.done && <ArrivalNotice arrival={arrival} />} />
    </AuthCard>
  );
}

function ArrivalNotice({ arrival }: { arrival: PageMessage }) {
  const { t } = useTranslation();
  if (arrival.reset)
    return (
      <Alert tone="ok" live="status">
        {t('auth.resetSignIn')}
      </Alert>
    );
  if (arrival.link)
    return (
      <Alert tone="info" icon={Mail} title={t('auth.verifyHere')}>
        {t('auth.verifyHereText')}
      </Alert>
    );
  if (arrival.ended)
    return (
      <Alert tone="info" live="status">
        {t('auth.endedElsewhere')}
      </Alert>
    );
  if (!arrival.registered) return null;
  return (
    <Alert tone="ok" title={t('auth.registered')}>
      {t('auth.registeredNoMail', { email: arrival.registered })}
    </Alert>
  );
}
