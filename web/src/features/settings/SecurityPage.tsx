import { PasskeysSetting } from './PasskeysSetting.tsx';
import { PasswordSetting } from './PasswordSetting.tsx';
import { SecondFactorSetting } from './SecondFactorSetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** Renders /settings/security: the ways to sign in and their protection. */
export function SecurityPage() {
  return (
    <SettingsFrame topic="security">
      <PasswordSetting />
      <PasskeysSetting />
      <SecondFactorSetting />
    </SettingsFrame>
  );
}
