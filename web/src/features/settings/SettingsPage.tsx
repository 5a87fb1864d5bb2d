import { Navigate, useLocation } from 'react-router';
import { AppearanceSetting } from './AppearanceSetting.tsx';
import { AutoStopSetting } from './AutoStopSetting.tsx';
import { LanguageSetting } from './LanguageSetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';
import { formerSection } from './topics.ts';

/** Renders /settings: the index of the topics, and the preferences. */
export function SettingsPage() {
  const former = formerSection(useLocation().hash);
  if (former) return <Navigate to={former} replace />;
  return (
    <SettingsFrame>
      <LanguageSetting />
      <AppearanceSetting />
      <AutoStopSetting />
    </SettingsFrame>
  );
}
