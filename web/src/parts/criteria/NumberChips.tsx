import { useId, useState } from 'react';
import { classes } from '../../shared/ui/classes.ts';
import { OptionChip } from '../../shared/ui/OptionChip.tsx';
import styles from './NumberChips.module.css';
import { typedNumber } from './searchForm.ts';

interface Props {
  label: string;
  otherLabel: string;
  value: number;
  choices: number[];
  min: number;
  max: number;
  /** Error text for a number out of range. */
  outside: string;
  /** Text below the field if there is no error. */
  hint?: string;
  /** True if `hint` is a warning. */
  warns?: boolean;
  onChange: (value: number) => void;
}

/** Renders buttons with common numbers, a field for other numbers, and a hint or an error below. */
export function NumberChips({ label, otherLabel, value, choices, min, max, outside, hint, warns, onChange }: Props) {
  const noteId = useId();
  const written = choices.includes(value) ? '' : String(value);
  const [typed, setTyped] = useState(written);
  const wrong = value < min || value > max;
  const note = wrong ? outside : hint;
  return (
    <>
      <div role="group" aria-label={label} className={styles.row}>
        {choices.map((choice) => (
          <OptionChip
            key={choice}
            pressed={value === choice}
            onClick={() => {
              setTyped('');
              onChange(choice);
            }}
          >
            {choice}
          </OptionChip>
        ))}
        <input
          value={typed}
          placeholder={`${min}–${max}`}
          inputMode="numeric"
          autoComplete="off"
          aria-label={otherLabel}
          aria-invalid={wrong}
          aria-describedby={note ? noteId : undefined}
          onChange={(event) => {
            setTyped(event.target.value);
            onChange(typedNumber(event.target.value));
          }}
          // On leaving the field, its text becomes the number in use.
          onBlur={() => setTyped(written)}
          className={styles.other}
        />
      </div>
      <p
        id={noteId}
        role={wrong ? 'alert' : undefined}
        hidden={!note}
        className={classes(styles.note, wrong ? styles.wrong : warns && styles.warning)}
      >
        {note}
      </p>
    </>
  );
}
