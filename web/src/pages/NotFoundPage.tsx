import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useIdentity } from '../lib/useIdentity.ts';
import { usePageTitle } from '../lib/usePageTitle.ts';
import { paths } from '../routes/paths.ts';

/** Every other path. */
export function NotFoundPage() {
  const { t } = useTranslation();
  const identity = useIdentity();
  usePageTitle(t('notFound.title'));
  return (
    <Container sx={{ py: { xs: 8, md: 12 }, textAlign: 'center' }}>
      <Typography variant="h3" component="h1">
        {t('notFound.title')}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 1, mb: 3 }}>
        {t('notFound.text')}
      </Typography>
      <Button component={Link} to={identity ? paths.dashboard : paths.home}>
        {identity ? t('wizard.toDashboard') : t('error.home')}
      </Button>
    </Container>
  );
}
