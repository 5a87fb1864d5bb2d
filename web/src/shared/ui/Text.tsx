import type { ComponentProps, ElementType, ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Text.module.css';

/** Sizes and weights of text; the pictures are in the design language. Headings of a page take `display`, `h1`, `h2`, `title`, `h3`, `h4`. */
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

/** What the words are, where not normal: support, captions, or a warning. */
type TextColor = 'secondary' | 'tertiary' | 'warning';

interface TextProps extends Omit<ComponentProps<'p'>, 'style'> {
  /** The element; `p` without it. */
  as?: ElementType;
  variant?: TextVariant;
  color?: TextColor;
  /** Figures of one width, for what counts or stands in a column. Not for ISO dates: it widens the hyphen. */
  tabular?: boolean;
  /** Stays on one line: dates, times, a number with its unit. */
  unbroken?: boolean;
}

/** Words. The size on the page comes from `variant`, the meaning from `as`: `<Text as="h1" variant="h2">`. */
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

/** Read out, not shown. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className={styles.hidden}>{children}</span>;
}

/** Keeps a date, a time or a number with its unit on one line, in the type around it. */
export function NoWrap({ children }: { children: ReactNode }) {
  return <span className={styles.unbroken}>{children}</span>;
}
