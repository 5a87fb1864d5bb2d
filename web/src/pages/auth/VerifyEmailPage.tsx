import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../api/calls.ts';
import { AuthCard } from '../../components/auth/AuthCard.tsx';
import { errorWords } from '../../lib/errorWords.ts';
import { paths } from '../../routes/paths.ts';
import { Notice } from '../../ui/Notice.tsx';

/** /auth/verify-email?token=: opening the page changes nothing (mail scanners open links); the button confirms. */
export function VerifyEmailPage() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const token = search.get('token') ?? '';
  const verify = useMutation({ mutationFn: () => api.verifyEmail(token) });
  return (
    <AuthCard title={t('auth.verifyTitle')} lead={t('auth.verifyLead')}>
      <Box sx={{ display: 'grid', gap: 2 }}>
        {!token && <Notice tone="error">{t('auth.tokenInvalid')}</Notice>}
        {verify.isError && <Notice tone="error">{t(errorWords(verify.error, 'auth.verifyFailed'))}</Notice>}
        {verify.isSuccess ? (
          <>
            <Notice tone="ok" live="status" title={t('auth.verified')}>
              {t('auth.verifiedText')}
            </Notice>
            <Button component={Link} to={paths.login} fullWidth>
              {t('auth.goSignIn')}
            </Button>
          </>
        ) : (
          <Button fullWidth disabled={!token} loading={verify.isPending} onClick={() => verify.mutate()}>
            {t('auth.verifyButton')}
          </Button>
        )}
        {(verify.isError || !token) && (
          <Button component={Link} to={paths.resend} variant="outlined" fullWidth>
            {t('auth.resendTitle')}
          </Button>
        )}
      </Box>
    </AuthCard>
  );
}
