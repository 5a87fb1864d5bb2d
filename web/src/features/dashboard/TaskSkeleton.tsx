import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Skeleton from '@mui/material/Skeleton';

/** The shape of a task card before its data. */
export function TaskSkeleton() {
  return (
    <Card aria-hidden sx={{ display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '128px 1fr' }, overflow: 'hidden' }}>
      <Skeleton variant="rectangular" sx={{ height: { xs: 46, sm: '100%' }, borderRadius: 0 }} />
      <Box sx={{ p: 2.5, display: 'grid', gap: 2 }}>
        <Skeleton variant="rounded" width="45%" height={20} />
        <Skeleton variant="rounded" height={64} sx={{ borderRadius: '12px' }} />
        <Skeleton variant="rounded" height={8} sx={{ my: 3 }} />
        <Skeleton variant="rounded" height={66} sx={{ borderRadius: '12px' }} />
        <Skeleton variant="rounded" width="80%" height={16} />
        <Skeleton variant="rounded" width="60%" height={16} />
      </Box>
    </Card>
  );
}
