import { Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useMethods } from '../../shared/api/methods.ts';
import { type PageMessage, storePageMessage } from '../../shared/browser/pageMessage.ts';
import { usePageMessage } from '../../shared/hooks/usePageMessage.ts';
import { nextOf } from '../../shared/routing/origin.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Link } from '../../shared/ui/Link.tsx';
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
  const mails = useMethods()?.mail !== false;
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
  if (!mails)
    return (
      <Alert tone="ok" title={t('auth.registered')}>
        {t('auth.registeredNoMail', { email: arrival.registered })}
      </Alert>
    );
  return (
    <Alert tone="info" icon={Mail} title={t('auth.checkMail')}>
      {t('auth.checkMailText', { email: arrival.registered })}{' '}
      <Link to={paths.resend} onClick={() => storePageMessage({ email: arrival.registered })}>
        {t('auth.resendLink')}
      </Link>
    </Alert>
  );
}
