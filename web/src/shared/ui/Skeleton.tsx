import { classes } from './classes.ts';
import styles from './Skeleton.module.css';

/**
 * Holds the place of loading content: a line of text, a button or field, or a block as high as a
 * card. It is not read aloud. `data-skeleton` lets browser tests wait until nothing is loading.
 */
export function Skeleton({ kind = 'line', className }: { kind?: 'line' | 'control' | 'block'; className?: string }) {
  return <span aria-hidden="true" data-skeleton="" className={classes(styles.root, styles[kind], className)} />;
}
