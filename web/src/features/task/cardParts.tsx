import type { ReactNode } from 'react';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import styles from './cardParts.module.css';

/** Renders the notice that there is no data yet, and when there will be. */
export function Empty({ drawing = 'calendar', children }: { drawing?: 'calendar' | 'sheet'; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Illustration name={drawing} width={96} />
      <span>{children}</span>
    </div>
  );
}

/** Renders a box in which a table scrolls, also by keyboard. */
export function TableBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users must be able to scroll it
    <div role="group" aria-label={label} tabIndex={0} className={styles.box}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}

/** Renders a table that replaces a chart for screen readers and on paper. */
export function SpareTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.spare}>
      <table aria-label={label} className={styles.table}>
        {children}
      </table>
    </div>
  );
}
