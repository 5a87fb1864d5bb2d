import { useInfiniteQuery } from '@tanstack/react-query';
import { Check, CircleX, Clock, type LucideIcon, Minus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Notified } from '../../shared/api/channels.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './HistoryList.module.css';
import { takerTexts } from './kinds.ts';
import { channelQueries } from './queries.ts';
import { secondsClock } from './secondsClock.ts';

interface Props {
  /** Id of the task whose notifications are listed. Without it, all notifications are listed. */
  taskId?: string;
  /** True to mask addresses. */
  hidden?: boolean;
}

/** Renders the delivery history: notifications with their channels and outcomes. */
export function HistoryList({ taskId, hidden = false }: Props) {
  const { t } = useTranslation();
  const query = useInfiniteQuery(channelQueries.history(taskId ?? null));
  const entries = query.data?.pages.flatMap((page) => page.entries);
  if (!entries) return <Missing query={query} />;
  if (entries.length === 0)
    return (
      <Text variant="small" color="secondary">
        {t('channels.historyEmpty')}
      </Text>
    );
  return (
    <Stack gap={3}>
      <Text variant="caption" color="secondary">
        {t('channels.acceptedNote')}
      </Text>
      <ol className={styles.list}>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} hidden={hidden} withTask={taskId === undefined} />
        ))}
      </ol>
      {query.hasNextPage && (
        <Button
          variant="text"
          size="small"
          className={styles.more}
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t('channels.historyMore')}
        </Button>
      )}
    </Stack>
  );
}

function Missing({ query }: { query: { isError: boolean; isFetching: boolean; refetch: () => unknown } }) {
  const { t } = useTranslation();
  if (!query.isError || query.isFetching)
    return (
      <div role="status" aria-label={t('settings.loading')} className={styles.waiting}>
        <Skeleton kind="control" />
        <Skeleton kind="control" />
        <Skeleton kind="control" />
      </div>
    );
  return (
    <Alert
      tone="error"
      action={
        <Button variant="secondary" size="small" onClick={() => void query.refetch()}>
          {t('problem.retry')}
        </Button>
      }
    >
      {t('channels.historyFailed')}
    </Alert>
  );
}

/** Reasons for which a notification is skipped although the channel works. */
const meant = new Set<Notified['why']>(['quiet_hours', 'another_accepted', 'channel_off', 'acknowledged']);

function signOf({ state, why }: Notified): { icon: LucideIcon; tone: string | undefined } {
  if (state === 'accepted') return { icon: Check, tone: styles.ok };
  if (state === 'waiting') return { icon: Clock, tone: styles.plain };
  return meant.has(why) ? { icon: Minus, tone: styles.plain } : { icon: CircleX, tone: styles.err };
}

/** Returns the reason why a notification was not sent, or is not sent yet. */
function whyTexts({ state, why }: Notified): TextKey {
  if (state === 'waiting') return why === 'quiet_hours' ? 'channels.waitingQuiet' : 'channels.waiting';
  return why === null ? 'channels.why.gave_up' : `channels.why.${why}`;
}

/**
 * Renders what happened after sending: whether the message reached the phone, and when the user
 * acknowledged it.
 */
function Afterwards({ entry }: { entry: Notified }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <>
      {entry.arrived_at && <p>{t('channels.arrived', { time: secondsClock(entry.arrived_at, language) })}</p>}
      {entry.not_arrived && <p>{t('channels.notArrived', { code: entry.not_arrived })}</p>}
      {entry.acknowledged_at && <p>{t('channels.seen', { time: secondsClock(entry.acknowledged_at, language) })}</p>}
    </>
  );
}

function Entry({ entry, hidden, withTask }: { entry: Notified; hidden: boolean; withTask: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { icon, tone } = signOf(entry);
  const { kind, label } = entry.channel;
  const name = t(`channels.kind.${kind}`);
  const shownLabel = hidden && kind === 'email' ? maskEmail(label) : label;
  return (
    <li className={styles.entry}>
      <span className={classes(styles.sign, tone)}>
        <Icon of={icon} size={16} />
      </span>
      <div className={styles.said}>
        <p className={styles.title}>
          <b>{t(`channels.event.${entry.event}`)}</b>
          <span className={styles.to}>
            {name} {shownLabel}
          </span>
        </p>
        <p>
          {entry.state === 'accepted'
            ? t(kind === 'email' ? 'channels.acceptedMail' : 'channels.accepted', {
                channel: kind === 'email' ? name : t(takerTexts(kind)),
                time: secondsClock(entry.at ?? entry.created_at, language),
              })
            : (t(whyTexts(entry)) as string)}
        </p>
        <Afterwards entry={entry} />
        <Text variant="caption" color="tertiary">
          <time dateTime={entry.created_at}>{instantInFull(entry.created_at, language)}</time>
          {withTask && entry.task_id && (
            <Link to={paths.task(entry.task_id)} className={styles.task}>
              {t('channels.toTask')}
            </Link>
          )}
        </Text>
      </div>
    </li>
  );
}
