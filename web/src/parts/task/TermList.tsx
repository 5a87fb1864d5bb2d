import { Fragment, type ReactNode } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import styles from './TermList.module.css';

export interface Term {
  term: string;
  value: ReactNode;
}

/** Facts of a card as terms with their values, two pairs a row where there is room. */
export function TermList({ rows, even = false }: { rows: Term[]; even?: boolean }) {
  return (
    <dl className={classes(styles.list, even && styles.even)}>
      {rows.map((row) => (
        <Fragment key={row.term}>
          <dt>{row.term}</dt>
          <dd>{row.value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
