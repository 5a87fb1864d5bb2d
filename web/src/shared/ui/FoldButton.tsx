import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './FoldButton.module.css';
import { Icon } from './Icon.tsx';

interface Props {
  open: boolean;
  /** Id of the element that it opens. */
  controls: string;
  onToggle: () => void;
  /** As wide as its place, with the arrow at its end. */
  wide?: boolean;
  children: ReactNode;
}

/** Renders a small heading that opens the element below it, with a rotating arrow. */
export function FoldButton({ open, controls, onToggle, wide = false, children }: Props) {
  return (
    <button
      type="button"
      aria-expanded={open}
      aria-controls={controls}
      onClick={onToggle}
      className={classes(styles.fold, wide && styles.wide, open && styles.open)}
    >
      {children}
      <Icon of={ChevronDown} size={16} className={styles.arrow} />
    </button>
  );
}
