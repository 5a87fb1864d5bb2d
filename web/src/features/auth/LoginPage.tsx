import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { takeRegistered } from '../../parts/account/arrival.ts';
import { useMethods } from '../../shared/api/methods.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { AuthCard } from './AuthCard.tsx';
import { CodeStep } from './CodeStep.tsx';
import { PasswordStep } from './PasswordStep.tsx';
import { useLoginForm } from './useLoginForm.ts';

const REDIRECT_MS = 1_500;

/** What the page before has done: registered an address, or set a new password. */
type Arrival = { registered?: string; reset?: boolean } | null;

/** /auth/login: on success the session starts after 1.5 s, and the guard leads to where the person came from. */
export function LoginPage() {
  const { t } = useTranslation();
  const state = useLocation().state as Arrival;
  const [registered] = useState(takeRegistered);
  const arrival = registered ? { registered } : state;
  const login = useLoginForm({ email: arrival?.registered ?? '', delayMs: REDIRECT_MS });
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

function ArrivalNotice({ arrival }: { arrival: NonNullable<Arrival> }) {
  const { t } = useTranslation();
  const mails = useMethods()?.mail !== false;
  if (arrival.reset)
    return (
      <Notice tone="ok" live="status">
        {t('auth.resetSignIn')}
      </Notice>
    );
  if (!arrival.registered) return null;
  if (!mails)
    return (
      <Notice tone="ok" title={t('auth.registered')}>
        {t('auth.registeredNoMail', { email: arrival.registered })}
      </Notice>
    );
  return (
    <Notice tone="info" icon="mail" title={t('auth.checkMail')}>
      {t('auth.checkMailText', { email: arrival.registered })}{' '}
      <Link to={paths.resend} state={{ email: arrival.registered }}>
        {t('auth.resendLink')}
      </Link>
    </Notice>
  );
}
