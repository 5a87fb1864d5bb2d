import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import styles from './FieldShell.module.css';

/** What every field has around its control. */
export interface FieldProps {
  label: ReactNode;
  /** The label is read out but not shown. */
  hideLabel?: boolean;
  /** Why the value cannot be taken; replaces the hint and is announced. */
  error?: string;
  hint?: ReactNode;
  /** Stands beside the label and comes after the field for the keyboard, such as *Forgot your password?*. */
  aside?: ReactNode;
  /** Stands below the note, such as a meter of strength. */
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
  /** Draws the control with the attributes that tie it to its label and its note. */
  children: (control: Control) => ReactNode;
}

/** Label above, control, then the reason it is wrong or a hint. The fields of this folder are made with it. */
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

/** The line below a field: an error, else a hint, else nothing. Errors are announced when they come. */
export function FieldNote({ id, error, children }: { id?: string; error?: string; children?: ReactNode }) {
  return (
    <div id={id} aria-live="polite" className={error === undefined ? styles.hint : styles.error}>
      {error ?? children}
    </div>
  );
}
