import type { ComponentProps, ElementType, ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Text.module.css';

/** Sizes and weights of text. Headings of a page use `display`, `h1`, `h2`, `title`, `h3`, `h4`. */
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

/** Role of the text, if not normal: support, captions, or a warning. */
type TextColor = 'secondary' | 'tertiary' | 'warning';

interface TextProps extends Omit<ComponentProps<'p'>, 'style'> {
  /** The element, by default `p`. */
  as?: ElementType;
  variant?: TextVariant;
  color?: TextColor;
  /**
   * Digits of one width, for counters and columns. Not for ISO dates, because it widens the hyphen.
   */
  tabular?: boolean;
  /** Stays on one line: dates, times, a number with its unit. */
  unbroken?: boolean;
}

/**
 * Renders text. Its size comes from `variant`, its meaning from `as`: `<Text as="h1"
 * variant="h2">`.
 */
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

/** Keeps a date, a time or a number with its unit on one line, in the surrounding type. */
export function NoWrap({ children }: { children: ReactNode }) {
  return <span className={styles.unbroken}>{children}</span>;
}
