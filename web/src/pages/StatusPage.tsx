import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { SystemPanel } from '../components/dashboard/SystemPanel.tsx';
import { usePageTitle } from '../lib/usePageTitle.ts';

/** /status: open to everyone. */
export function StatusPage() {
  const { t } = useTranslation();
  usePageTitle(t('nav.status'));
  return (
    <Container sx={{ py: { xs: 2.5, md: 5 }, maxWidth: '640px !important' }}>
      <Typography variant="h3" component="h1">
        {t('system.pageTitle')}
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5, mb: 2.5 }}>
        {t('system.pageLead')}
      </Typography>
      <Box>
        <SystemPanel />
      </Box>
    </Container>
  );
}
