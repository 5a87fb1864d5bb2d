import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useIdentity } from '../shared/api/useIdentity.ts';
import { usePageTitle } from '../shared/hooks/usePageTitle.ts';
import { paths } from '../shared/routing/paths.ts';
import { Illustration } from '../shared/ui/Illustration.tsx';
import { Link } from '../shared/ui/Link.tsx';

/** Every other path: what is wrong, the way back, and where one may have wanted to go. */
export function NotFoundPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  usePageTitle(t('notFound.title'));
  const elsewhere = [
    ...(identity
      ? [
          { to: paths.wizard(), label: t('nav.wizard') },
          { to: paths.settings, label: t('nav.settings') },
        ]
      : [{ to: paths.login, label: t('nav.login') }]),
    { to: paths.faq, label: t('nav.faq') },
    { to: paths.status, label: t('nav.status') },
  ];
  return (
    <Container sx={{ py: { xs: 6, md: 10 }, display: 'grid', justifyItems: 'center', textAlign: 'center' }}>
      <Illustration name="lost" width={220} />
      <Typography variant="h3" component="h1" sx={{ mt: 3 }}>
        {t('notFound.title')}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 1, mb: 3, maxWidth: '34em' }}>
        {t('notFound.text')}
      </Typography>
      <Button component={Link} to={identity ? paths.dashboard : paths.home}>
        {identity ? t('wizard.toDashboard') : t('error.home')}
      </Button>
      <Typography variant="body2" color="textTertiary" sx={{ mt: 5 }}>
        {t('notFound.tries')}
      </Typography>
      <Box component="ul" sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'center', gap: '4px 24px', mt: 1 }}>
        {elsewhere.map(({ to, label }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
      </Box>
    </Container>
  );
}
