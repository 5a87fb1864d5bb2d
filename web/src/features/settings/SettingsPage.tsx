import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { AccountSetting } from './AccountSetting.tsx';
import { AutoStopSetting } from './AutoStopSetting.tsx';
import { DeleteAccountSetting } from './DeleteAccountSetting.tsx';
import { ExportSetting } from './ExportSetting.tsx';
import { LanguageSetting } from './LanguageSetting.tsx';
import { NotificationSetting } from './NotificationSetting.tsx';
import { PortalAccountsSetting } from './PortalAccountsSetting.tsx';
import { ReferralSetting } from './ReferralSetting.tsx';
import { SecondFactorSetting } from './SecondFactorSetting.tsx';
import { SectionNav } from './SectionNav.tsx';
import { SignInsSetting } from './SignInsSetting.tsx';

/** /settings: preferences, the account and who is signed in to it, the logins kept here, and one's data. */
export function SettingsPage() {
  const { t } = useTranslation();
  usePageTitle(t('nav.settings'));
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <Typography variant="h3" component="h1" sx={{ mb: 2.5 }}>
        {t('nav.settings')}
      </Typography>
      <Box
        sx={{ display: 'grid', gap: { xs: 2, md: 4 }, gridTemplateColumns: { xs: 'minmax(0,1fr)', md: '220px minmax(0,1fr)' } }}
      >
        <SectionNav />
        <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 }, gridTemplateColumns: 'minmax(0,1fr)' }}>
          <LanguageSetting />
          <AutoStopSetting />
          <NotificationSetting />
          <ReferralSetting />
          <AccountSetting />
          <SignInsSetting />
          <SecondFactorSetting />
          <PortalAccountsSetting />
          <ExportSetting />
          <DeleteAccountSetting />
        </Box>
      </Box>
    </Container>
  );
}
