import { Fragment, type ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import styles from './TermList.module.css';

export interface Term {
  term: string;
  value: ReactNode;
}

/**
 * Renders facts as terms with their values: one pair per row, or two if they fit, of which the
 * first may be wider.
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
