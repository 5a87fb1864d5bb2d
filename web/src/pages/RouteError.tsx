import Button from '@mui/material/Button';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useRouteError } from 'react-router';
import { paths } from '../routes/paths.ts';

/** What is shown when a page throws: plain words, a reload and a way home; a new deploy's missing chunk ends here too. */
export function RouteError() {
  const { t } = useTranslation();
  const error = useRouteError();
  return (
    <Container sx={{ py: 8, maxWidth: '640px !important' }} role="alert">
      <Typography variant="h3" component="h1">
        {t('error.title')}
      </Typography>
      <Typography sx={{ mt: 1, mb: 3 }} color="textSecondary">
        {t('error.text')}
      </Typography>
      <Button onClick={() => window.location.reload()} sx={{ mr: 1 }}>
        {t('error.reload')}
      </Button>
      <Button href={paths.home} variant="outlined">
        {t('error.home')}
      </Button>
      {error instanceof Error && (
        <Typography variant="caption" component="p" color="textTertiary" sx={{ mt: 3, overflowWrap: 'anywhere' }}>
          {error.message}
        </Typography>
      )}
    </Container>
  );
}
