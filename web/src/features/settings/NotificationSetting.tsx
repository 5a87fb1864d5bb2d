import { BellRing } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { Section, Waiting } from './Section.tsx';

const ChannelsPanel = lazyComponent(() =>
  withTexts(['parts/channels/setup', 'parts/channels'], async () => (await import('./channels/ChannelsPanel.tsx')).ChannelsPanel),
);

/** Renders the notification settings. */
export function NotificationSetting() {
  const { t } = useTranslation();
  return (
    <Section id="notifications" icon={BellRing} title={t('settings.notifications')} text={t('settings.notificationsText')}>
      <ChannelsPanel fallback={<Waiting rows={2} />} />
    </Section>
  );
}
