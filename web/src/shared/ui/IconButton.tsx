import type { ComponentProps, ReactNode, Ref } from 'react';
import { classes } from './classes.ts';
import styles from './IconButton.module.css';

interface Props extends Omit<ComponentProps<'button'>, 'ref' | 'children' | 'className' | 'style' | 'aria-label'> {
  /** Accessible name of the button. */
  label: string;
  /** The icon, 20 px. */
  children: ReactNode;
  className?: string;
  ref?: Ref<HTMLButtonElement>;
}

/** Renders a round button with one icon. Wrap it in a `Tooltip` if the icon is not well known. */
export function IconButton({ label, children, className, ...rest }: Props) {
  return (
    <button type="button" {...rest} aria-label={label} className={classes(styles.root, className)}>
      {children}
    </button>
  );
}
