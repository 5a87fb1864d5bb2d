import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Container from '@mui/material/Container';
import Skeleton from '@mui/material/Skeleton';
import { useTranslation } from 'react-i18next';
import { columns, stack } from './layout.ts';

/** Months of cells on the way. */
export function HeatSkeleton() {
  return (
    <Box aria-hidden sx={{ display: 'grid', gap: 3 }}>
      {[0, 1].map((city) => (
        <Box key={city} sx={{ display: 'flex', justifyContent: 'space-between', gap: 1 }}>
          {[0, 1, 2, 3, 4].map((month) => (
            <Skeleton
              key={month}
              variant="rounded"
              height={150}
              sx={{ flex: 1, display: { xs: month === 0 ? 'block' : 'none', sm: 'block' } }}
            />
          ))}
        </Box>
      ))}
    </Box>
  );
}

const block = (height: number) => (
  <Card sx={{ p: 2.5 }}>
    <Skeleton variant="rounded" width="40%" height={18} sx={{ mb: 2 }} />
    <Skeleton variant="rounded" height={height} />
  </Card>
);

/** The shape of the whole page before its task is there. */
export function DetailSkeleton() {
  const { t } = useTranslation();
  return (
    <Container sx={{ py: { xs: 2.5, md: 3.5 } }}>
      <Box role="status" aria-label={t('settings.loading')}>
        <Skeleton variant="rounded" width={90} height={18} sx={{ mb: 2 }} />
        <Skeleton variant="rounded" width="min(360px, 70%)" height={30} sx={{ mb: 1 }} />
        <Skeleton variant="rounded" width="min(460px, 90%)" height={18} sx={{ mb: 3 }} />
        <Card sx={{ mb: 3, overflow: 'hidden' }}>
          <Skeleton variant="rectangular" height={112} sx={{ borderRadius: 0 }} />
          <Skeleton variant="rounded" height={8} sx={{ m: '40px 24px' }} />
          <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr 1fr', md: 'repeat(4,1fr)' }, gap: 3, p: 3 }}>
            {[0, 1, 2, 3].map((figure) => (
              <Skeleton key={figure} variant="rounded" height={52} />
            ))}
          </Box>
        </Card>
        <Box sx={columns}>
          <Box sx={stack}>
            {block(330)}
            {block(320)}
          </Box>
          <Box sx={stack}>
            {block(60)}
            {block(160)}
            {block(180)}
          </Box>
        </Box>
      </Box>
    </Container>
  );
}
