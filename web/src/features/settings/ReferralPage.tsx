import { ReferralSetting } from './ReferralSetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** Renders /settings/referral: the user's referral code. */
export function ReferralPage() {
  return (
    <SettingsFrame topic="referral">
      <ReferralSetting />
    </SettingsFrame>
  );
}
