import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Card, CardHeader } from '../../shared/ui/Card.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Skeleton } from '../../shared/ui/Skeleton.tsx';
import styles from './Part.module.css';

interface Props {
  icon?: LucideIcon;
  title: ReactNode;
  /** Content at the right of the title. */
  mark?: ReactNode;
  children: ReactNode;
  /** Footer, below a thin line. */
  foot?: ReactNode;
}

/** Renders one card of the page as a region, named by its heading. */
export function Part({ icon, title, mark, children, foot }: Props) {
  const id = useId();
  return (
    <Card as="section" aria-labelledby={id} className={styles.part}>
      <CardHeader icon={icon && <Icon of={icon} />} title={title} id={id}>
        {mark}
      </CardHeader>
      <div className={styles.body}>{children}</div>
      {foot && <div className={styles.foot}>{foot}</div>}
    </Card>
  );
}

/** Part of a query's result that `Ready` needs. */
interface PartQuery<T> {
  data: T | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface ReadyProps<T> {
  query: PartQuery<T>;
  skeleton: ReactNode;
  children: (data: T) => ReactNode;
}

/**
 * Renders the result of a query: the data, the skeleton while it loads, or a retry button after a
 * failure.
 */
export function Ready<T>({ query, skeleton, children }: ReadyProps<T>) {
  const { t } = useTranslation();
  const { data, isError, isFetching, refetch } = query;
  if (data !== undefined) return children(data);
  if (!isError || isFetching)
    return (
      <div role="status" aria-label={t('settings.loading')}>
        {skeleton}
      </div>
    );
  return (
    <Alert
      tone="error"
      action={
        <Button variant="secondary" size="small" onClick={() => void refetch()}>
          {t('problem.retry')}
        </Button>
      }
    >
      {t('detail.partFailed')}
    </Alert>
  );
}

/** Renders skeleton rows. */
export function Rows({ count, tall }: { count: number; tall?: boolean }) {
  return (
    <div aria-hidden="true" className={styles.rows}>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} kind="control" className={tall ? styles.tall : styles.row} />
      ))}
    </div>
  );
}

/** Renders a list of terms in two columns. */
export function Terms({ rows }: { rows: { term: ReactNode; value: ReactNode }[] }) {
  return (
    <dl className={styles.terms}>
      {rows.map((row, index) => (
        <div key={index}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </div>
      ))}
    </dl>
  );
}
