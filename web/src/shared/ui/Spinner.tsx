import { classes } from './classes.ts';
import styles from './Spinner.module.css';

/** Renders a wait. It needs a text beside it, because the spinner itself is not read aloud. */
export function Spinner({ size = 'small', className }: { size?: 'small' | 'large'; className?: string }) {
  return <span aria-hidden="true" className={classes(styles.root, styles[size], className)} />;
}
