import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { channelQueries } from './queries.ts';

/**
 * Renders the warning that the user receives no notifications, because the server sends no mail and
 * no other channel works. Renders nothing if a channel works.
 */
export function NoChannelAlert() {
  const { t } = useTranslation();
  const { data } = useQuery(channelQueries.all());
  if (!data || data.email.on || data.channels.some(({ state }) => state === 'verified')) return null;
  return (
    <Alert
      tone="warning"
      live="status"
      title={t('channels.nobody')}
      action={
        <ButtonLink variant="secondary" size="small" render={<Link to={paths.settingsTopic('notifications')} />}>
          {t('channels.nobodyAdd')}
        </ButtonLink>
      }
    >
      {t('channels.nobodyText')}
    </Alert>
  );
}
