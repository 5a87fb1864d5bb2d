import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './FoldButton.module.css';
import { Icon } from './Icon.tsx';

interface Props {
  open: boolean;
  /** Id of the element that the button opens and closes. */
  controls: string;
  onToggle: () => void;
  /** Makes the button as wide as its container, with the arrow at the end. */
  wide?: boolean;
  children: ReactNode;
}

/** Renders a heading button that opens and closes the element below it. */
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
