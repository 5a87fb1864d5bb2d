import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import styles from './FieldShell.module.css';

/** Properties that every field shares. */
export interface FieldProps {
  label: ReactNode;
  /** Hides the label visually. Screen readers still read it. */
  hideLabel?: boolean;
  /** Error of the value. It replaces the hint, and screen readers announce it. */
  error?: string;
  hint?: ReactNode;
  /**
   * Element beside the label, such as *Forgot your password?*. It comes after the field in tab
   * order.
   */
  aside?: ReactNode;
  /** Element below the hint, such as a strength meter. */
  after?: ReactNode;
}

interface Control {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': true | undefined;
}

interface Props extends FieldProps {
  id?: string;
  className?: string;
  /**
   * Renders the input. `control` contains the attributes that connect it to its label and its hint.
   */
  children: (control: Control) => ReactNode;
}

/** Renders a label, the input, and an error or a hint below. All fields of this folder use it. */
export function FieldShell({ label, hideLabel, error, hint, aside, after, id, className, children }: Props) {
  const made = useId();
  const fieldId = id ?? made;
  const noteId = `${fieldId}-note`;
  const noted = error !== undefined || Boolean(hint);
  return (
    <div className={classes(styles.root, className)}>
      <label htmlFor={fieldId} className={hideLabel ? styles.hidden : styles.label}>
        {label}
      </label>
      {children({
        id: fieldId,
        'aria-describedby': noted ? noteId : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {aside && <span className={styles.aside}>{aside}</span>}
      <FieldNote id={noteId} error={error}>
        {hint}
      </FieldNote>
      {after}
    </div>
  );
}

/** Renders the line below a field: the error, else the hint. Screen readers announce errors. */
export function FieldNote({ id, error, children }: { id?: string; error?: string; children?: ReactNode }) {
  return (
    <div id={id} aria-live="polite" className={error === undefined ? styles.hint : styles.error}>
      {error ?? children}
    </div>
  );
}
