import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';
import { statusGrid } from './grid.ts';

/** The page's shape while nothing has come. */
export function StatusSkeleton() {
  return (
    <Box aria-hidden sx={{ display: 'grid', gap: 3 }}>
      <Skeleton variant="rounded" height={84} sx={{ borderRadius: '16px' }} />
      <Box sx={statusGrid}>
        <Card sx={{ p: 2.5, display: 'grid', gap: 2.5, alignContent: 'start' }}>
          <Skeleton width="40%" height={28} />
          <Box sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr 1fr', sm: 'repeat(4, 1fr)' }, gap: 2 }}>
            {[0, 1, 2, 3].map((key) => (
              <Skeleton key={key} variant="rounded" height={72} />
            ))}
          </Box>
          <Skeleton variant="rounded" height={60} />
          <Skeleton variant="rounded" height={60} />
        </Card>
        <Box sx={{ display: 'grid', gap: { xs: 2, md: 3 }, alignContent: 'start' }}>
          {[76, 230, 190].map((height) => (
            <Skeleton key={height} variant="rounded" height={height} sx={{ borderRadius: '16px' }} />
          ))}
        </Box>
      </Box>
    </Box>
  );
}
