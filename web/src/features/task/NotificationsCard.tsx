import { useQuery } from '@tanstack/react-query';
import { Bell, Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queries } from '../../shared/api/queries.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './NotificationsCard.module.css';
import { Part } from './Part.tsx';

/** How people are told: by mail, and what is still to come. */
export function NotificationsCard({ hidden }: { hidden: boolean }) {
  const { t } = useTranslation();
  const { data: user } = useQuery(queries.profile());
  const soon = [t('settings.channelWechat'), t('settings.channelSms'), t('settings.channelPush')];
  return (
    <Part
      icon={Bell}
      title={t('rail.notifications')}
      mark={
        <ButtonLink render={<Link to={paths.settings} />} variant="text" size="small" className={styles.settings}>
          {t('nav.settings')}
        </ButtonLink>
      }
    >
      <ul className={styles.list}>
        <li>
          <div className={styles.channel}>
            {t('settings.channelEmail')}
            {user && (
              <Text as="span" variant="caption" color="tertiary" className={styles.to}>
                {t('rail.mailTo', { address: hidden ? maskEmail(user.email) : user.email })}
              </Text>
            )}
          </div>
          <Badge tone="ok" icon={Check}>
            {t('settings.channelOn')}
          </Badge>
        </li>
        {soon.map((channel) => (
          <li key={channel}>
            <span className={styles.channel}>{channel}</span>
            <Text as="span" variant="caption" color="tertiary">
              {t('settings.comingSoon')}
            </Text>
          </li>
        ))}
      </ul>
    </Part>
  );
}
