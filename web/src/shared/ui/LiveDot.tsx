import { classes } from './classes.ts';
import styles from './LiveDot.module.css';

/** Renders a dot that pulses while something is running. It is the only animated element. */
export function LiveDot({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes(styles.root, className)} />;
}
