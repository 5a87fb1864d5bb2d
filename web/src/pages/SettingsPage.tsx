import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { AutoStopSetting } from '../components/settings/AutoStopSetting.tsx';
import { LanguageSetting } from '../components/settings/LanguageSetting.tsx';
import { usePageTitle } from '../lib/usePageTitle.ts';
import { CardHeader } from '../ui/CardHeader.tsx';
import { Tag } from '../ui/Tag.tsx';

/** /settings: language, auto-stop, and what will come. */
export function SettingsPage() {
  const { t } = useTranslation();
  usePageTitle(t('nav.settings'));
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 }, maxWidth: '760px !important' }}>
      <Typography variant="h3" component="h1" sx={{ mb: 2.5 }}>
        {t('nav.settings')}
      </Typography>
      <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 } }}>
        <LanguageSetting />
        <AutoStopSetting />
        <Card component="section">
          <CardHeader icon="mail" title={t('settings.notifications')}>
            <Tag tone="quiet">{t('settings.comingSoon')}</Tag>
          </CardHeader>
          <Typography variant="body2" color="textSecondary" sx={{ p: { xs: '8px 16px 16px', sm: '8px 20px 20px' } }}>
            {t('settings.notificationsText')}
          </Typography>
        </Card>
      </Box>
    </Container>
  );
}
