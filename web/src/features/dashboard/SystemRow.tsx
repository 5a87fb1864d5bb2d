import type { CSSProperties, ReactNode } from 'react';
import { Pieces } from '../../shared/ui/Pieces.tsx';
import styles from './SystemRow.module.css';

interface Props {
  label: ReactNode;
  value: ReactNode;
  /** Details. Each stays on one line. */
  notes?: (ReactNode | false | null | undefined)[];
  children?: ReactNode;
}

/** Renders one row of the system status: label, state and details. */
export function SystemRow({ label, value, notes = [], children }: Props) {
  const shown = notes.filter(Boolean);
  return (
    <div className={styles.row}>
      <div className={styles.first}>
        <span>{label}</span>
        <span className={styles.value}>{value}</span>
      </div>
      {children}
      {shown.length > 0 && (
        <div className={styles.notes}>
          <Pieces of={shown} />
        </div>
      )}
    </div>
  );
}

/** Renders the used part of a limit as a bar with its numbers. */
export function UseBar({ used, limit }: { used: number; limit: number }) {
  const share = limit > 0 ? Math.min(1, used / limit) : 0;
  return (
    <div aria-hidden="true" className={styles.track}>
      <div className={styles.used} style={{ '--share': `${share * 100}%` } as CSSProperties} />
    </div>
  );
}
