import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Container } from '../../shared/ui/Layout.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { Age } from './Age.tsx';
import { Banner } from './Banner.tsx';
import { IncidentsCard } from './IncidentsCard.tsx';
import styles from './layout.module.css';
import { PortalCard } from './PortalCard.tsx';
import { statusQueries } from './queries.ts';
import { DeliveryCard, EngineCard, SiteCard } from './SideCards.tsx';
import { StatusSkeleton } from './StatusSkeleton.tsx';

const EVERY_MS = 30_000;

/** Asked without a network too: whether our server answers is found out by asking, and a question kept back is no answer. */
const asks = { networkMode: 'always', refetchOnReconnect: 'always' } as const;

/** /status, open to everyone: how everything is, since when, and how it was; when our own server is silent, what it last said. */
export function StatusPage() {
  const { t } = useTranslation();
  usePageTitle(t('nav.status'));
  const now = useQuery({ ...queries.status(), ...asks, refetchInterval: EVERY_MS, staleTime: EVERY_MS });
  const past = useQuery({ ...statusQueries.history(), ...asks });
  const { data: status, dataUpdatedAt: answeredAt } = now;
  // A failed renewal keeps what was there; while it is tried again it still has failed.
  const reachable = !now.isError && (now.failureCount === 0 || status === undefined);
  return (
    <Container className={styles.page}>
      <div className={styles.head}>
        <div className={styles.words}>
          <Text as="h1" variant="h2">
            {t('status.title')}
          </Text>
          <Text variant="small" color="secondary">
            {t('status.lead')}
          </Text>
        </div>
        {answeredAt > 0 && (
          <Text as="span" variant="caption" color="tertiary" tabular>
            {t('status.read')} <Age at={answeredAt} />
            {' · '}
            {t('status.every', { count: EVERY_MS / 1000 })}
          </Text>
        )}
      </div>
      {now.isPending ? (
        <StatusSkeleton />
      ) : (
        <div className={styles.column}>
          <Banner
            status={status}
            history={past.data}
            reachable={reachable}
            answeredAt={answeredAt}
            asking={now.isFetching}
            onRetry={() => {
              void now.refetch();
              void past.refetch();
            }}
          />
          {status && (
            <div className={styles.grid}>
              <div className={styles.column}>
                <PortalCard status={status} history={past.data} />
                <IncidentsCard history={past.data} failed={past.isError} />
              </div>
              <div className={styles.column}>
                <SiteCard reachable={reachable} answeredAt={answeredAt} />
                <EngineCard status={status} history={past.data} />
                <DeliveryCard status={status} />
                <Text variant="caption" color="tertiary" className={styles.zone}>
                  {t('status.zone')}
                </Text>
              </div>
            </div>
          )}
        </div>
      )}
    </Container>
  );
}
