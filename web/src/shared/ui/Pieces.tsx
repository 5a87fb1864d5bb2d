import type { ReactNode } from 'react';
import styles from './Pieces.module.css';

/**
 * Renders small facts in a line, with points between them. A piece wraps as a whole if possible,
 * and no point is at a line's end.
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
