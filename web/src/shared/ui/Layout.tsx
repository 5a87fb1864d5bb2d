import type { ComponentProps, ElementType } from 'react';
import { classes } from './classes.ts';
import styles from './Layout.module.css';

/** Distance as a multiple of 4 px: `gap={4}` is 16 px. */
type Space = 2 | 3 | 4;

interface StackProps extends Omit<ComponentProps<'div'>, 'style'> {
  /** Element to render, by default `div`. */
  as?: ElementType;
  gap?: Space;
}

/** Renders its children in a column, each as wide as the column. */
export function Stack({ as: Kind = 'div', gap = 4, className, ...rest }: StackProps) {
  return <Kind {...rest} className={classes(styles.stack, styles[`gap-${gap}`], className)} />;
}

interface RowProps extends StackProps {
  align?: 'center' | 'baseline';
  justify?: 'end' | 'between';
}

/** Renders its children in a row, which wraps if necessary. */
export function Row({ as: Kind = 'div', gap = 2, align = 'center', justify, className, ...rest }: RowProps) {
  return (
    <Kind
      {...rest}
      className={classes(
        styles.row,
        styles[`gap-${gap}`],
        styles[`align-${align}`],
        justify && styles[`justify-${justify}`],
        className,
      )}
    />
  );
}

/** Renders the content column of a page, at most 1200 px wide. */
export function Container({ as: Kind = 'div', className, ...rest }: Omit<StackProps, 'gap'>) {
  return <Kind {...rest} className={classes(styles.container, className)} />;
}
