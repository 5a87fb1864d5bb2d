import { Skeleton } from '../../shared/ui/Skeleton.tsx';

/** Renders the skeleton of the card form. */
export function CardSkeleton() {
  return (
    <>
      <Skeleton kind="control" />
      <Skeleton kind="control" />
      <Skeleton kind="block" />
    </>
  );
}
