import { Fragment, type ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import styles from './TermList.module.css';

export interface Term {
  term: string;
  value: ReactNode;
}

/** Facts as terms with their values: one pair a row, or two where there is room, of which the first may get more of it. */
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
