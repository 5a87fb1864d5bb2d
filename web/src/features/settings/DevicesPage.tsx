import { ActivitySetting } from './ActivitySetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';
import { SignInsSetting } from './SignInsSetting.tsx';

/** Renders /settings/devices: the sessions of the user and the recent security events. */
export function DevicesPage() {
  return (
    <SettingsFrame topic="devices">
      <SignInsSetting />
      <ActivitySetting />
    </SettingsFrame>
  );
}
