import { classes } from './classes.ts';
import styles from './Spinner.module.css';

/** Something is being waited for. Say what in words beside it: the spinner itself is not read out. */
export function Spinner({ size = 'small', className }: { size?: 'small' | 'large'; className?: string }) {
  return <span aria-hidden="true" className={classes(styles.root, styles[size], className)} />;
}
