import type { CSSProperties, ReactNode } from 'react';
import styles from './CountdownPill.module.css';
import { classes } from './classes.ts';

interface Props {
  label: ReactNode;
  undoLabel: string;
  leftMs: number;
  totalMs: number;
  small?: boolean;
  onUndo: () => void;
}

/** Renders the delay before an action as a filling pill, with an undo button. */
export function CountdownPill({ label, undoLabel, leftMs, totalMs, small, onUndo }: Props) {
  const done = totalMs > 0 ? 1 - leftMs / totalMs : 0;
  return (
    <div className={classes(styles.root, small && styles.small)}>
      <div aria-hidden="true" className={styles.filled} style={{ '--done': done } as CSSProperties} />
      <span role="status" className={styles.label}>
        {label}
      </span>
      {/* biome-ignore lint/a11y/noAutofocus: replaces the pressed button */}
      <button type="button" autoFocus onClick={onUndo} className={styles.undo}>
        {undoLabel}
      </button>
    </div>
  );
}
