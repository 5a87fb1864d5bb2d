import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Skeleton from '@mui/material/Skeleton';

/** The outline of a page while its chunk or data is on the way. */
export function PageSkeleton() {
  return (
    <Container sx={{ py: 4, minHeight: '70vh' }} aria-hidden>
      <Skeleton variant="rounded" width={220} height={34} />
      <Skeleton variant="rounded" width={320} height={18} sx={{ mt: 1.5, maxWidth: '100%' }} />
      <Box sx={{ display: 'grid', gap: 3, mt: 4, gridTemplateColumns: { xs: '1fr', md: '1fr 368px' } }}>
        <Skeleton variant="rounded" height={320} sx={{ borderRadius: '16px' }} />
        <Skeleton variant="rounded" height={320} sx={{ borderRadius: '16px' }} />
      </Box>
    </Container>
  );
}
