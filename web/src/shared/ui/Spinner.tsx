import { classes } from './classes.ts';
import styles from './Spinner.module.css';

/** Renders a spinner. Screen readers skip it, so it needs a text beside it. */
export function Spinner({ size = 'small', className }: { size?: 'small' | 'large'; className?: string }) {
  return <span aria-hidden="true" className={classes(styles.root, styles[size], className)} />;
}
