import { Container } from './Layout.tsx';
import styles from './PageSkeleton.module.css';
import { Skeleton } from './Skeleton.tsx';

/** Renders the skeleton of a page while its code or data loads. */
export function PageSkeleton() {
  return (
    <Container aria-hidden="true" className={styles.root}>
      <Skeleton className={styles.title} />
      <Skeleton className={styles.lead} />
      <div className={styles.columns}>
        <Skeleton kind="block" className={styles.block} />
        <Skeleton kind="block" className={styles.block} />
      </div>
    </Container>
  );
}
