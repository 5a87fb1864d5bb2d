import type { ComponentProps, ElementType, ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Text.module.css';

/** Size and weight of text. Headings of a page use `display`, `h1`, `h2`, `title`, `h3`, `h4`. */
type TextVariant =
  | 'display'
  | 'h1'
  | 'h2'
  | 'title'
  | 'h3'
  | 'h4'
  | 'lead'
  | 'body'
  | 'small'
  | 'caption'
  | 'micro'
  | 'label'
  | 'strong'
  | 'figureXl'
  | 'figureLg'
  | 'figureMd';

/** Colour of supporting text, captions and warnings. */
type TextColor = 'secondary' | 'tertiary' | 'warning';

interface TextProps extends Omit<ComponentProps<'p'>, 'style'> {
  /** Element to render, by default `p`. */
  as?: ElementType;
  variant?: TextVariant;
  color?: TextColor;
  /**
   * Gives all digits the same width, for counters and columns. Not for ISO dates, because it widens
   * the hyphen.
   */
  tabular?: boolean;
  /** Keeps the text on one line, for dates, times and numbers with a unit. */
  unbroken?: boolean;
}

/** Renders text. `variant` sets its size, and `as` its element: `<Text as="h1" variant="h2">`. */
export function Text({ as: Kind = 'p', variant = 'body', color, tabular, unbroken, className, ...rest }: TextProps) {
  return (
    <Kind
      {...rest}
      className={classes(
        styles.text,
        styles[variant],
        color && styles[color],
        tabular && styles.tabular,
        unbroken && styles.unbroken,
        className,
      )}
    />
  );
}

/** Renders text for screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}

/** Keeps its content on one line, such as a date, a time or a number with its unit. */
export function NoWrap({ children }: { children: ReactNode }) {
  return <span className={styles.unbroken}>{children}</span>;
}
