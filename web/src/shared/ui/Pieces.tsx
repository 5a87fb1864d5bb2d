import type { ReactNode } from 'react';
import styles from './Pieces.module.css';

/**
 * Renders short items in a line, separated by dots. Items wrap as a whole if possible, and no line
 * begins or ends with a dot.
 */
export function Pieces({ of }: { of: ReactNode[] }) {
  const shown = of.filter(Boolean);
  return (
    <span className={styles.pieces}>
      {shown.map((piece, at) => (
        <span key={at} className={styles.piece}>
          {at > 0 && <span className={styles.between}> · </span>}
          {piece}
        </span>
      ))}
    </span>
  );
}
