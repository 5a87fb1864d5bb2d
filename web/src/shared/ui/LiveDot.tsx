import { classes } from './classes.ts';
import styles from './LiveDot.module.css';

/** Renders a pulsing dot, which shows that something is running. */
export function LiveDot({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes(styles.root, className)} />;
}
