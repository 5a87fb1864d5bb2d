import Skeleton from '@mui/material/Skeleton';

/** The card form's shape while it loads. */
export function CardSkeleton() {
  return (
    <>
      <Skeleton variant="rounded" height={76} />
      <Skeleton variant="rounded" height={76} />
      <Skeleton variant="rounded" height={96} />
    </>
  );
}
