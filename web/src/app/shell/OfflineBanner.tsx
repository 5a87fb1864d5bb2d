import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { queryClient } from '../../shared/api/queries.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { useOnline } from '../../shared/hooks/useOnline.ts';
import { Icon } from '../../shared/legacy/Icon.tsx';

function dataAgeMinutes(nowMs: number): number {
  const newest = Math.max(
    0,
    ...queryClient
      .getQueryCache()
      .getAll()
      .map((query) => query.state.dataUpdatedAt),
  );
  // The clock of this banner ticks seldom: what came since its last tick is not from the future.
  return newest === 0 ? 0 : Math.max(0, Math.floor((nowMs - newest) / 60_000));
}

/** While the browser is offline: how old the data shown is, and that the server goes on without us. */
export function OfflineBanner() {
  const online = useOnline();
  const now = useNow(15_000);
  const { t } = useTranslation();
  if (online) return null;
  const minutes = dataAgeMinutes(now);
  return (
    <Container sx={{ pt: 2 }}>
      <Box role="status" sx={{ display: 'flex', gap: 1.75, p: 2, borderRadius: '16px', bgcolor: 'neutral.soft' }}>
        <Icon name="activity" />
        <div>
          <Typography variant="h6" component="p">
            {minutes === 0 ? t('shell.offlineNow') : t('shell.offlineTitle', { count: minutes })}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {t('shell.offlineText')}
          </Typography>
        </div>
      </Box>
    </Container>
  );
}
