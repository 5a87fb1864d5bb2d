import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { usePageTitle } from '../../shared/hooks/usePageTitle.ts';
import { Age } from './Age.tsx';
import { Banner } from './Banner.tsx';
import { statusGrid } from './grid.ts';
import { IncidentsCard } from './IncidentsCard.tsx';
import { PortalCard } from './PortalCard.tsx';
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
  const past = useQuery({ ...queries.statusHistory(), ...asks });
  const { data: status, dataUpdatedAt: answeredAt } = now;
  // A failed renewal keeps what was there; while it is tried again it still has failed.
  const reachable = !now.isError && (now.failureCount === 0 || status === undefined);
  const column = { display: 'grid', gap: { xs: 2, md: 3 }, gridTemplateColumns: 'minmax(0,1fr)' } as const;
  return (
    <Container sx={{ py: { xs: 2.5, md: 4 } }}>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'flex-end', gap: '4px 24px', mb: 2.5 }}>
        <Box sx={{ flex: '1 1 320px' }}>
          <Typography variant="h3" component="h1">
            {t('status.title')}
          </Typography>
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
            {t('status.lead')}
          </Typography>
        </Box>
        {answeredAt > 0 && (
          <Typography variant="caption" color="textTertiary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
            {t('status.read')} <Age at={answeredAt} />
            {' · '}
            {t('status.every', { count: EVERY_MS / 1000 })}
          </Typography>
        )}
      </Box>
      {now.isPending ? (
        <StatusSkeleton />
      ) : (
        <Box sx={column}>
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
            <Box sx={statusGrid}>
              <Box sx={column}>
                <PortalCard status={status} history={past.data} />
                <IncidentsCard history={past.data} failed={past.isError} />
              </Box>
              <Box sx={column}>
                <SiteCard reachable={reachable} answeredAt={answeredAt} />
                <EngineCard status={status} history={past.data} />
                <DeliveryCard status={status} />
                <Typography variant="caption" component="p" color="textTertiary" sx={{ px: 0.5 }}>
                  {t('status.zone')}
                </Typography>
              </Box>
            </Box>
          )}
        </Box>
      )}
    </Container>
  );
}
