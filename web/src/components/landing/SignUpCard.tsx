import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { rememberRegistered } from '../../lib/arrival.ts';
import { paths } from '../../routes/paths.ts';
import { Link, useGo } from '../../ui/Link.tsx';

const REDIRECT_MS = 2_500;
const RegisterFields = lazy(async () => ({ default: (await import('../auth/RegisterFields.tsx')).RegisterFields }));

/** The sign-up card of the hero; its form is a chunk of its own, so that the page does not wait for it. */
export function SignUpCard() {
  const { t } = useTranslation();
  const go = useGo();
  const toSignIn = (email: string) => {
    rememberRegistered(email);
    go(paths.login);
  };
  return (
    <Card
      id="sign-up"
      sx={{
        p: { xs: 2.5, sm: 3.5 },
        boxShadow: 24,
        position: { md: 'sticky' },
        top: 88,
      }}
    >
      <Typography variant="h4" component="h2">
        {t('auth.createAccount')}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 2.5 }}>
        {t('auth.registerLead')}
      </Typography>
      <Suspense fallback={<Skeleton variant="rounded" height={380} />}>
        <RegisterFields googleBelow delayMs={REDIRECT_MS} onDone={toSignIn} />
      </Suspense>
      <Box sx={{ mt: 2, pt: 2, borderTop: 1, borderColor: 'divider', fontSize: 13, lineHeight: 1.55, color: 'text.secondary' }}>
        {t('landing.signUpNote')}{' '}
        <Link to={paths.privacy} style={{ whiteSpace: 'nowrap' }}>
          {t('footer.privacy')}
        </Link>
      </Box>
    </Card>
  );
}
