import { Check, Mail } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Words } from '../../shared/i18n/words.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Section } from './Section.tsx';
import styles from './settings.module.css';

const COMING: Words[] = ['settings.channelWechat', 'settings.channelSms', 'settings.channelPush'];

/** How people hear from us: mail, and what will come. */
export function NotificationSetting() {
  const { t } = useTranslation();
  return (
    <Section id="notifications" icon={Mail} title={t('settings.notifications')} text={t('settings.notificationsText')}>
      <ul className={styles.channels}>
        <li>
          {t('settings.channelEmail')}
          <Badge tone="ok" icon={Check}>
            {t('settings.channelOn')}
          </Badge>
        </li>
        {COMING.map((channel) => (
          <li key={channel} className={styles.coming}>
            {t(channel) as string}
            <Badge tone="quiet">{t('settings.comingSoon')}</Badge>
          </li>
        ))}
      </ul>
    </Section>
  );
}
