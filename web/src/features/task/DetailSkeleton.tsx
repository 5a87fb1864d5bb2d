import { useTranslation } from 'react-i18next';
import { Card } from '../../shared/ui/Card.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import styles from './DetailSkeleton.module.css';
import layout from './layout.module.css';

/** Renders the skeleton of the heat map. */
export function HeatSkeleton() {
  return (
    <div aria-hidden="true" className={styles.months}>
      {[0, 1, 2, 3, 4].map((month) => (
        <Skeleton key={month} kind="block" className={styles.month} />
      ))}
    </div>
  );
}

function Block({ className }: { className?: string }) {
  return (
    <Card className={styles.card}>
      <Skeleton className={styles.heading} />
      <Skeleton kind="block" className={className} />
    </Card>
  );
}

/** Renders the skeleton of a task's page. */
export function DetailSkeleton() {
  const { t } = useTranslation();
  return (
    <Container className={layout.frame}>
      <div role="status" aria-label={t('settings.loading')}>
        <Skeleton className={styles.back} />
        <Skeleton className={styles.name} />
        <Skeleton className={styles.facts} />
        <Card className={styles.summary}>
          <Skeleton className={styles.condition} />
          <Skeleton className={styles.line} />
          <div className={styles.figures}>
            {[0, 1, 2, 3].map((figure) => (
              <Skeleton key={figure} className={styles.figure} />
            ))}
          </div>
        </Card>
        <div className={layout.columns}>
          <div className={layout.stack}>
            <Block className={styles.high} />
            <Block className={styles.high} />
          </div>
          <div className={layout.stack}>
            <Block className={styles.low} />
            <Block />
            <Block />
          </div>
        </div>
      </div>
    </Container>
  );
}
