import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../shared/api/calls.ts';
import { hasCode } from '../../shared/api/errors.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { updateIdentity } from '../../shared/api/session.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { useSubmission } from '../../shared/forms/useSubmission.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { AuthCard } from './AuthCard.tsx';

/** Confirms the address of a link; where it was the new address of whoever is signed in here, the page shows it from now on. */
async function verify(token: string): Promise<void> {
  await api.verifyEmail(token);
  if (!sessionStore.get()) return;
  const user = await api.profile().catch(() => null);
  if (user) updateIdentity(user);
  await queryClient.invalidateQueries({ queryKey: queries.profile().queryKey });
}

/** /auth/verify-email?token=: opening the page changes nothing (mail scanners open links); the button confirms. */
export function VerifyEmailPage() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const token = search.get('token')?.trim() ?? '';
  const signedIn = useIdentity() !== null;
  const { submit, sending, done, error } = useSubmission(verify);
  const useless = !token || hasCode(error, 'INVALID_TOKEN', 'TOKEN_EXPIRED');
  const again = signedIn ? paths.settings : paths.resend;
  return (
    <AuthCard
      title={t(done ? 'auth.verified' : 'auth.verifyTitle')}
      lead={done ? undefined : t(signedIn ? 'auth.verifyLeadChange' : 'auth.verifyLead')}
      arrived={done}
      picture={done ? 'done' : 'mail'}
    >
      <Box sx={{ display: 'grid', gap: 2 }}>
        {!token && <Notice tone="error">{t('auth.verifyMissing')}</Notice>}
        <Problem error={error} fallback="auth.verifyFailed" />
        {done ? (
          <>
            <Notice tone="ok" live="status">
              {t(signedIn ? 'auth.verifiedSignedIn' : 'auth.verifiedText')}
            </Notice>
            <Button component={Link} to={signedIn ? paths.settings : paths.login} fullWidth>
              {t(signedIn ? 'auth.goSettings' : 'auth.goSignIn')}
            </Button>
          </>
        ) : useless ? null : (
          <Button fullWidth disabled={sending} loading={sending} onClick={() => submit(token)}>
            {t('auth.verifyButton')}
          </Button>
        )}
        {(error !== null || useless) && (
          <>
            {signedIn && <Notice tone="quiet">{t('auth.changeAgain')}</Notice>}
            <Button component={Link} to={again} variant={useless ? 'contained' : 'outlined'} fullWidth>
              {t(signedIn ? 'auth.goSettings' : 'auth.resendTitle')}
            </Button>
          </>
        )}
      </Box>
    </AuthCard>
  );
}
