import type { ComponentProps, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';
import styles from './IconButton.module.css';

interface Props extends Omit<ComponentProps<'button'>, 'ref' | 'children' | 'className' | 'style' | 'aria-label'> {
  /** Action of the button, for screen readers. */
  label: string;
  /** The icon, 20 px. */
  children: ReactNode;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

/**
 * Renders a round button of 36 px with one icon. Put it into a `Tooltip` if the icon alone is not
 * generally known.
 */
export function IconButton({ label, children, className, ...rest }: Props) {
  return (
    <button type="button" {...rest} aria-label={label} className={classes(styles.root, className)}>
      {children}
    </button>
  );
}
