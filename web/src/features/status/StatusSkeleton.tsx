import { Card } from '../../shared/ui/Card.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import styles from './layout.module.css';

/** The page's shape while nothing has come. */
export function StatusSkeleton() {
  return (
    <div aria-hidden="true" className={styles.column}>
      <Skeleton kind="block" className={styles.skeletonBanner} />
      <div className={styles.grid}>
        <Card className={styles.skeletonCard}>
          <Skeleton />
          <div className={styles.skeletonFigures}>
            {[0, 1, 2, 3].map((key) => (
              <Skeleton key={key} kind="block" />
            ))}
          </div>
          <Skeleton kind="control" />
          <Skeleton kind="control" />
        </Card>
        <div className={styles.column}>
          {[0, 1, 2].map((key) => (
            <Skeleton key={key} kind="block" />
          ))}
        </div>
      </div>
    </div>
  );
}
