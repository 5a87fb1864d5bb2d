import { Card } from '../../shared/ui/Card.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import styles from './TaskSkeleton.module.css';

/** Renders the skeleton of a task's row. */
export function TaskSkeleton() {
  return (
    <Card aria-hidden="true" className={styles.card}>
      <div className={styles.panel} />
      <div className={styles.main}>
        <Skeleton className={styles.short} />
        <Skeleton className={styles.long} />
      </div>
    </Card>
  );
}
