import { classes } from './classes.ts';
import styles from './LiveDot.module.css';

/** The one thing that moves by itself: a dot that breathes while something is running. */
export function LiveDot({ className }: { className?: string }) {
  return <span aria-hidden="true" className={classes(styles.root, className)} />;
}
