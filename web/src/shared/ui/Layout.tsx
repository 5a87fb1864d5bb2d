import type { ComponentProps, ElementType } from 'react';
import { classes } from './classes.ts';
import styles from './Layout.module.css';

/** A distance of the design, times 4 px: `gap={4}` is 16 px. */
type Space = 2 | 3 | 4;

interface StackProps extends Omit<ComponentProps<'div'>, 'style'> {
  /** The element, by default `div`. */
  as?: ElementType;
  gap?: Space;
}

/** Stacks its children, each as wide as the stack. */
export function Stack({ as: Kind = 'div', gap = 4, className, ...rest }: StackProps) {
  return <Kind {...rest} className={classes(styles.stack, styles[`gap-${gap}`], className)} />;
}

interface RowProps extends StackProps {
  align?: 'center' | 'baseline';
  justify?: 'end' | 'between';
}

/** Places its children side by side, wrapping if necessary. */
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

/** Renders the page's column: 1200 px at most, with its gutters. */
export function Container({ as: Kind = 'div', className, ...rest }: Omit<StackProps, 'gap'>) {
  return <Kind {...rest} className={classes(styles.container, className)} />;
}
