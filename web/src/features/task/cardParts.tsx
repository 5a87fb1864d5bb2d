import type { ReactNode } from 'react';
import { Illustration } from '../../shared/ui/Illustration.tsx';
import styles from './cardParts.module.css';

/** Says in words that there is nothing yet, and when there will be. */
export function Empty({ drawing = 'calendar', children }: { drawing?: 'calendar' | 'sheet'; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <Illustration name={drawing} width={96} />
      <span>{children}</span>
    </div>
  );
}

/** A table that scrolls within itself, also by keyboard. */
export function TableBox({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard to be scrolled
    <div role="group" aria-label={label} tabIndex={0} className={styles.box}>
      <table className={styles.table}>{children}</table>
    </div>
  );
}

/** A table beside its picture: read out in place of it, and printed with it. */
export function SpareTable({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.spare}>
      <table aria-label={label} className={styles.table}>
        {children}
      </table>
    </div>
  );
}
