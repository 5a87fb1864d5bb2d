import { Fragment, type ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import styles from './TermList.module.css';

export interface Term {
  term: string;
  value: ReactNode;
}

/**
 * Renders a list of terms with their values. `pairs` sets the columns: one pair per row, or two of
 * equal or unequal width.
 */
export function TermList({ rows, pairs }: { rows: Term[]; pairs: 'single' | 'even' | 'uneven' }) {
  return (
    <dl className={classes(styles.list, styles[pairs])}>
      {rows.map((row) => (
        <Fragment key={row.term}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
