import { type ComponentProps, type ReactNode, useId } from 'react';
import styles from './Checkbox.module.css';
import { classes } from './classes.ts';
import { FieldNote } from './FieldShell.tsx';

interface Props extends Omit<ComponentProps<'input'>, 'type' | 'style' | 'size'> {
  label: ReactNode;
  hint?: ReactNode;
  error?: string;
  /** Class of the whole component, for its position in a layout. */
  className?: string;
}

function Choice({ kind, label, hint, error, className, ...input }: Props & { kind: 'checkbox' | 'radio' | 'switch' }) {
  const made = useId();
  const noteId = `${input.id ?? made}-note`;
  const noted = error !== undefined || Boolean(hint);
  return (
    <div className={classes(styles.root, className)}>
      <label className={classes(styles.line, input.disabled && styles.off)}>
        <input
          {...input}
          type={kind === 'radio' ? 'radio' : 'checkbox'}
          role={kind === 'switch' ? 'switch' : undefined}
          aria-describedby={noted ? noteId : undefined}
          aria-invalid={error === undefined ? undefined : true}
          className={styles[kind]}
        />
        <span>{label}</span>
      </label>
      {noted && (
        <div className={kind === 'switch' ? styles.noteWide : styles.note}>
          <FieldNote id={noteId} error={error}>
            {hint}
          </FieldNote>
        </div>
      )}
    </div>
  );
}

interface TickProps extends Omit<ComponentProps<'input'>, 'type' | 'style' | 'size' | 'className'> {
  kind: 'checkbox' | 'radio';
}

/** Renders only the input, for a tile or a row that is its label. */
export function Tick({ kind, ...input }: TickProps) {
  return <input {...input} type={kind} className={styles[kind]} />;
}

/**
 * Renders a checkbox. It works before the page's code has loaded, and with `form.register`. For the
 * third state set `ref.indeterminate`.
 */
export function Checkbox(props: Props) {
  return <Choice kind="checkbox" {...props} />;
}

/** Renders a switch. Its change applies at once, without a save button. */
export function Switch(props: Props) {
  return <Choice kind="switch" {...props} />;
}
