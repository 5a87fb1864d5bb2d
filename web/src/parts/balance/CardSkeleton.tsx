import { Skeleton } from '../../shared/ui/Skeleton.tsx';

/** The card form's shape while it loads. */
export function CardSkeleton() {
  return (
    <>
      <Skeleton kind="control" />
      <Skeleton kind="control" />
      <Skeleton kind="block" />
    </>
  );
}
