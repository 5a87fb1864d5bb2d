import { AccountSetting } from './AccountSetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** Renders /settings/account: the name and the mail address of the account. */
export function AccountPage() {
  return (
    <SettingsFrame topic="account">
      <AccountSetting />
    </SettingsFrame>
  );
}
