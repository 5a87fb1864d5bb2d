import { useTranslation } from 'react-i18next';
import { NotificationSetting } from './NotificationSetting.tsx';
import { SettingsFrame } from './SettingsFrame.tsx';

/** Renders /settings/notifications: the ways in which the user is notified. */
export function NotificationsPage() {
  const { t } = useTranslation();
  return (
    <SettingsFrame topic="notifications" lead={t('settings.notificationsText')}>
      <NotificationSetting />
    </SettingsFrame>
  );
}
