import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Later } from '../../shared/ui/Later.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { AccountSetting } from './AccountSetting.tsx';
import { ActivitySetting } from './ActivitySetting.tsx';
import { AutoStopSetting } from './AutoStopSetting.tsx';
import { DeleteAccountSetting } from './DeleteAccountSetting.tsx';
import { ExportSetting } from './ExportSetting.tsx';
import { LanguageSetting } from './LanguageSetting.tsx';
import { NotificationSetting } from './NotificationSetting.tsx';
import { PasskeysSetting } from './PasskeysSetting.tsx';
import { PortalAccountsSetting } from './PortalAccountsSetting.tsx';
import { ReferralSetting } from './ReferralSetting.tsx';
import { SecondFactorSetting } from './SecondFactorSetting.tsx';
import { SectionNav } from './SectionNav.tsx';
import { SignInsSetting } from './SignInsSetting.tsx';
import styles from './settings.module.css';

/**
 * Renders /settings: preferences, the account and its sessions, portal accounts, and the user's
 * data.
 */
export function SettingsPage() {
  const { t } = useTranslation();
  const billing = useBilling();
  usePageTitle(t('nav.settings'));
  return (
    <Container className={styles.page}>
      <Text as="h1" variant="h2" className={styles.title}>
        {t('nav.settings')}
      </Text>
      <div className={styles.columns}>
        <SectionNav />
        <div className={styles.sections}>
          <LanguageSetting />
          <AutoStopSetting />
          <NotificationSetting />
          <Later>
            {billing && <ReferralSetting />}
            <AccountSetting />
            <SignInsSetting />
            <ActivitySetting />
            <PasskeysSetting />
            <SecondFactorSetting />
            <PortalAccountsSetting />
            <ExportSetting />
            <DeleteAccountSetting />
          </Later>
        </div>
      </div>
    </Container>
  );
}
