import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { updateIdentity } from '../../shared/api/session.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { keptAddress } from '../../shared/browser/nextAddress.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { useAddress } from '../../shared/hooks/useAddress.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { AuthCard } from './AuthCard.tsx';

/** Confirms the address of a link; where it was the new address of whoever is signed in here, the page shows it from now on. */
async function verify(token: string, onChange: () => void): Promise<void> {
  const before = sessionStore.get();
  await answer(client.GET('/auth/verify-email', { params: { query: { token } } }));
  if (!before) return;
  // A link of somebody who is signed in proves a new address, which ends all sign-ins, this one among them.
  onChange();
  const profile = await answer(client.GET('/user/profile')).catch(() => null);
  if (profile) updateIdentity(profile.user);
}

/** /auth/verify-email?token=: opening the page changes nothing (mail scanners open links); the button confirms. */
export function VerifyEmailPage() {
  const { t } = useTranslation();
  const address = useAddress();
  const token = address?.get('token')?.trim() ?? '';
  const signedIn = useIdentity() !== null;
  const [changed, setChanged] = useState(false);
  const { submit, sending, done, error } = useSubmission((token: string) => verify(token, () => setChanged(true)));
  const over = changed && !signedIn;
  const email = over ? keptAddress() : null;
  const missing = address !== null && !token;
  const useless = missing || hasCode(error, 'INVALID_TOKEN', 'TOKEN_EXPIRED');
  const again = signedIn ? paths.settings : paths.resend;
  return (
    <AuthCard
      title={t(done ? (over ? 'auth.changed' : 'auth.verified') : 'auth.verifyTitle')}
      lead={done ? undefined : t(signedIn ? 'auth.verifyLeadChange' : 'auth.verifyLead')}
      arrived={done}
      picture={done ? 'done' : 'mail'}
    >
      <Stack>
        {missing && <Alert tone="error">{t('auth.verifyMissing')}</Alert>}
        <Problem error={error} fallback="auth.verifyFailed" />
        {done ? (
          <>
            <Alert tone="ok" live="status">
              {over ? <Changed email={email} /> : t(signedIn ? 'auth.verifiedSignedIn' : 'auth.verifiedText')}
            </Alert>
            <ButtonLink wide render={<Link to={signedIn ? paths.settings : paths.login} />}>
              {t(signedIn ? 'auth.goSettings' : 'auth.goSignIn')}
            </ButtonLink>
          </>
        ) : useless ? null : (
          <Button wide loading={sending} onClick={() => submit(token)}>
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

/** Signs the person out, who signs in again with the new address. */
function Changed({ email }: { email: string | null }) {
  const { t } = useTranslation();
  return email ? t('auth.changedTo', { email }) : t('auth.changedText');
}
