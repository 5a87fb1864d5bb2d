import { useTranslation } from 'react-i18next';
import { hasCode } from '../../shared/api/errors.ts';
import { reloadWithSession } from '../../shared/api/handOver.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import { readAddress, useAddress } from '../../shared/hooks/useAddress.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Link, useGo } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { AuthCard } from './AuthCard.tsx';
import { Busy } from './Busy.tsx';
import { usePreloaded } from './usePreloaded.ts';
import { useVerifyLink } from './useVerifyLink.ts';

const tokenOf = (address: URLSearchParams) => address.get('token')?.trim() ?? '';

/**
 * Renders /auth/verify-email?token=. Opening the page changes nothing, because mail scanners open
 * links too. The button verifies the address. The browser that registered is then signed in. In
 * other browsers the user first signs in with the password.
 */
export function VerifyEmailPage() {
  const { t } = useTranslation();
  const go = useGo();
  const address = useAddress();
  const signedIn = useIdentity() !== null;
  const { submit, sending, error, pressed } = useVerifyLink(({ outcome, email }) => {
    if (outcome === 'signed_in') {
      storePageMessage({ greeting: 'welcomeNew' });
      if (!reloadWithSession(paths.dashboard)) go(paths.dashboard, { replace: true });
    } else if (outcome === 'sign_in_first' && !signedIn) {
      storePageMessage({ email: email ?? undefined, link: tokenOf(readAddress()) });
      go(paths.login);
    }
  });
  usePreloaded(() => paths.dashboard, sending);
  const missing = address !== null && !tokenOf(address);
  const useless = missing || hasCode(error, 'INVALID_TOKEN', 'TOKEN_EXPIRED');
  const again = signedIn ? paths.settings : paths.resend;
  if (pressed?.outcome === 'signed_in' || (pressed?.outcome === 'sign_in_first' && !signedIn))
    return (
      <AuthCard title={t('auth.verifyTitle')} arrived picture="mail">
        <Busy text={t('auth.callbackBusy')} />
      </AuthCard>
    );
  if (pressed) return <Pressed outcome={pressed.outcome} email={pressed.email} signedIn={signedIn} />;
  return (
    <AuthCard title={t('auth.verifyTitle')} lead={t(signedIn ? 'auth.verifyLeadChange' : 'auth.verifyLead')} picture="mail">
      <Stack>
        {missing && <Alert tone="error">{t('auth.verifyMissing')}</Alert>}
        <Problem error={error} fallback="auth.verifyFailed" />
        {!useless && (
          <Button wide loading={sending} onClick={() => submit(tokenOf(readAddress()))}>
            {t('auth.verifyButton')}
          </Button>
        )}
        {(error !== null || useless) && (
          <>
            {signedIn && <Alert tone="quiet">{t('auth.changeAgain')}</Alert>}
            <ButtonLink wide variant={useless ? 'primary' : 'secondary'} render={<Link to={again} />}>
              {t(signedIn ? 'auth.goSettings' : 'auth.resendTitle')}
            </ButtonLink>
          </>
        )}
      </Stack>
    </AuthCard>
  );
}

type PressedProps = NonNullable<ReturnType<typeof useVerifyLink>['pressed']> & { signedIn: boolean };

/** Renders the result of the press, if it opened no other page. */
function Pressed({ outcome, email, signedIn }: PressedProps) {
  const { t } = useTranslation();
  const changed = outcome === 'email_changed';
  const first = outcome === 'sign_in_first';
  const title = changed ? 'auth.changed' : first ? 'auth.verifyTitle' : 'auth.verified';
  const content = () => {
    if (first) return t('auth.verifyOther', { email });
    if (!changed) return signedIn ? t('auth.verifiedOther', { email: email ?? '' }).trim() : t('auth.verifiedText');
    if (signedIn) return t('auth.verifiedSignedIn');
    return email ? t('auth.changedTo', { email }) : t('auth.changedText');
  };
  return (
    <AuthCard title={t(title)} arrived picture={first ? 'mail' : 'done'}>
      <Stack>
        <Alert tone={first ? 'warning' : 'ok'} live="status">
          {content()}
        </Alert>
        {signedIn ? (
          <ButtonLink wide render={<Link to={changed ? paths.settings : paths.dashboard} />}>
            {t(changed ? 'auth.goSettings' : 'auth.goDashboard')}
          </ButtonLink>
        ) : (
          <ButtonLink wide render={<Link to={paths.login} onClick={() => email && storePageMessage({ email })} />}>
            {t('auth.goSignIn')}
          </ButtonLink>
        )}
      </Stack>
    </AuthCard>
  );
}
