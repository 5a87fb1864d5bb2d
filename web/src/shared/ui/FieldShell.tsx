import { type ReactNode, useId } from 'react';
import { classes } from './classes.ts';
import styles from './FieldShell.module.css';

/** Properties of every field around its control. */
export interface FieldProps {
  label: ReactNode;
  /** The label is read aloud but not shown. */
  hideLabel?: boolean;
  /** Error of the value. It replaces the hint and is announced. */
  error?: string;
  hint?: ReactNode;
  /**
   * Element beside the label that follows the field for the keyboard, such as *Forgot your
   * password?*.
   */
  aside?: ReactNode;
  /** Element below the note, such as a strength meter. */
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
  /** Renders the control with the attributes that tie it to its label and its note. */
  children: (control: Control) => ReactNode;
}

/**
 * Renders the label above, the control, then an error or a hint. The fields of this folder use it.
 */
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

/**
 * Renders the line below a field: an error, else a hint, else nothing. Errors are announced when
 * they appear.
 */
export function FieldNote({ id, error, children }: { id?: string; error?: string; children?: ReactNode }) {
  return (
    <div id={id} aria-live="polite" className={error === undefined ? styles.hint : styles.error}>
      {error ?? children}
    </div>
  );
}
