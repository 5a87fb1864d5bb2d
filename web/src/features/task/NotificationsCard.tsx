import { Bell } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import styles from './NotificationsCard.module.css';
import { Part, Rows } from './Part.tsx';

const ChannelSummary = lazyComponent(() =>
  withTexts(['parts/channels'], async () => (await import('../../parts/channels/ChannelSummary.tsx')).ChannelSummary),
);

/** Renders the notification channels and the delivery history of a task. */
export function NotificationsCard({ taskId, hidden }: { taskId: string; hidden: boolean }) {
  const { t } = useTranslation();
  return (
    <Part
      icon={Bell}
      title={t('rail.notifications')}
      mark={
        <ButtonLink
          render={<Link to={paths.settingsTopic('notifications')} />}
          variant="text"
          size="small"
          className={styles.settings}
        >
          {t('nav.settings')}
        </ButtonLink>
      }
    >
      <ChannelSummary taskId={taskId} hidden={hidden} fallback={<Rows count={1} />} />
    </Part>
  );
}
