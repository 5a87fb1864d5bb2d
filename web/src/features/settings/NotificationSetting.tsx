import { ChannelsPanel } from './channels/ChannelsPanel.tsx';
import { Section } from './Section.tsx';

/** Renders the notification settings. */
export function NotificationSetting() {
  return (
    <Section id="notifications">
      <ChannelsPanel />
    </Section>
  );
}
