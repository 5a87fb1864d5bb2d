import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { type FieldProps, FieldShell } from './FieldShell.tsx';
import styles from './TextField.module.css';

interface Props extends FieldProps, Omit<ComponentProps<'input'>, 'size' | 'style'> {
  /** Height of 48 or 40 px. */
  size?: 'medium' | 'small';
  /** Elements inside the frame before and after the input, such as an icon, a unit or a button. */
  start?: ReactNode;
  end?: ReactNode;
  /** Class of the whole field, for its position in a layout. */
  className?: string;
  /** Shows large spaced digits, for codes. */
  code?: boolean;
}

/**
 * Renders a text field. It is a plain `<input>`, so that text typed before the code loads stays.
 * With react-hook-form write `<TextField label={…} error={…} {...form.register('email')} />`.
 */
export function TextField({
  size = 'medium',
  start,
  end,
  className,
  code,
  label,
  hideLabel,
  error,
  hint,
  aside,
  after,
  ...input
}: Props) {
  const shell = { label, hideLabel, error, hint, aside, after };
  return (
    <FieldShell {...shell} id={input.id} className={className}>
      {(control) => (
        <span className={classes(styles.frame, styles[size], error !== undefined && styles.wrong)}>
          {start}
          <input type="text" {...input} {...control} className={classes(styles.input, code && styles.code)} />
          {end}
        </span>
      )}
    </FieldShell>
  );
}
