import { classes } from './classes.ts';
import styles from './Skeleton.module.css';

/**
 * Renders a placeholder for loading content: a line of text, a control, or a block as high as a
 * card. Screen readers skip it. Browser tests wait until no element has `data-skeleton`.
 */
export function Skeleton({ kind = 'line', className }: { kind?: 'line' | 'control' | 'block'; className?: string }) {
  return <span aria-hidden="true" data-skeleton="" className={classes(styles.root, styles[kind], className)} />;
}
