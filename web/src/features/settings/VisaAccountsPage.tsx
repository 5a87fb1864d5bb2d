import { useTranslation } from 'react-i18next';
import { PortalAccountsSetting } from './PortalAccountsSetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** Renders /settings/visa-accounts: the stored portal accounts. */
export function VisaAccountsPage() {
  const { t } = useTranslation();
  return (
    <SettingsFrame topic="visa-accounts" lead={t('portalAccounts.text')}>
      <PortalAccountsSetting />
    </SettingsFrame>
  );
}
