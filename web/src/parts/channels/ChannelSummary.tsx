import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channels } from '../../shared/api/channels.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './ChannelSummary.module.css';
import { comingChannels } from './coming.ts';
import { HistoryFold } from './HistoryFold.tsx';
import { channelQueries } from './queries.ts';
import { stateBadges } from './stateBadges.ts';

interface Props {
  /** Id of the task whose notifications are listed. */
  taskId: string;
  /** True to mask addresses. */
  hidden: boolean;
}

/**
 * Renders the notifications of a task: the channels of the user with their states, and the delivery
 * history.
 */
export function ChannelSummary({ taskId, hidden }: Props) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = useQuery(channelQueries.all());
  return (
    <div className={styles.summary}>
      {data ? (
        <List all={data} hidden={hidden} />
      ) : isError && !isFetching ? (
        <Alert
          tone="error"
          action={
            <Button variant="secondary" size="small" onClick={() => void refetch()}>
              {t('problem.retry')}
            </Button>
          }
        >
          {t('channels.failed')}
        </Alert>
      ) : (
        <div role="status" aria-label={t('settings.loading')}>
          <Skeleton kind="control" />
        </div>
      )}
      <HistoryFold taskId={taskId} hidden={hidden} />
    </div>
  );
}

function List({ all, hidden }: { all: Channels; hidden: boolean }) {
  const { t } = useTranslation();
  const { email, channels, offered } = all;
  const nothing = offered.length === 0 && channels.length === 0;
  return (
    <>
      <ul className={styles.list}>
        {email.on && (
          <Item
            name={t('channels.kind.email')}
            label={hidden ? maskEmail(email.address) : email.address}
            badge={
              <Badge tone="ok" icon={Check}>
                {t('channels.state.verified')}
              </Badge>
            }
          />
        )}
        {channels.map(({ id, kind, label, state }) => (
          <Item
            key={id}
            name={t(`channels.kind.${kind}`)}
            label={hidden ? '' : label}
            badge={
              <Badge tone={stateBadges[state].tone} icon={stateBadges[state].icon}>
                {t(`channels.state.${state}`)}
              </Badge>
            }
          />
        ))}
        {nothing &&
          comingChannels.map((channel) => (
            <Item
              key={channel}
              name={t(channel) as string}
              badge={
                <Text as="span" variant="caption" color="tertiary">
                  {t('settings.comingSoon')}
                </Text>
              }
            />
          ))}
      </ul>
      {!email.on && channels.length === 0 && offered.length > 0 && (
        <Text variant="small" color="warning">
          {t('channels.none')}
        </Text>
      )}
    </>
  );
}

function Item({ name, label, badge }: { name: string; label?: string; badge: ReactNode }) {
  return (
    <li>
      <div className={styles.channel}>
        {name}
        {label && (
          <Text as="span" variant="caption" color="tertiary" className={styles.to}>
            {label}
          </Text>
        )}
      </div>
      {badge}
    </li>
  );
}
