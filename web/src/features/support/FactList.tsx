import type { ReactNode } from 'react';
import styles from './support.module.css';

/** Renders terms and their values in two columns. */
export function FactList({ rows }: { rows: [string, ReactNode][] }) {
  return (
    <dl className={styles.facts}>
      {rows.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
