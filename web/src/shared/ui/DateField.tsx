import { CalendarDays } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { type CivilDate, isCivilDate } from '../format/dates.ts';
import { lazyComponent } from '../pwa/lazyComponent.tsx';
import { classes } from './classes.ts';
import styles from './DateField.module.css';
import { dateBounds, dateProblem, problemSentence, readDate, tidied } from './dateText.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { TextField } from './TextField.tsx';
import { fill, useUiTexts } from './UiTexts.tsx';

/**
 * The calendar's code loads when it opens. If that fails, the user can still type the date, and the
 * next press retries.
 */
const CalendarPopover = lazyComponent(async () => (await import('./CalendarPopover.tsx')).CalendarPopover);

interface Props {
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  /**
   * Error of the form. It replaces the field's messages about `min` and `max`. It is hidden while
   * the user types, and while the text is not a valid date.
   */
  error?: string;
  value: CivilDate | null;
  /**
   * Called with the date, or with null while the text is not a valid date. Dates outside of `min`
   * and `max` are passed on too. The field shows an error for them, and the form validates with
   * `dateProblem` of `dateText.ts`.
   */
  onChange: (date: CivilDate | null) => void;
  min?: CivilDate | null;
  max?: CivilDate | null;
  size?: 'medium' | 'small';
  name?: string;
  disabled?: boolean;
  className?: string;
}

/** Renders a field for a date, typed as YYYY-MM-DD or picked from a calendar. */
export function DateField({ label, hint, error, value, onChange, min, max, className, ...rest }: Props) {
  const texts = useUiTexts();
  const id = useId();
  const [text, setText] = useState(value ?? '');
  const [known, setKnown] = useState(value);
  const [typing, setTyping] = useState(false);
  const [asked, setAsked] = useState(false);
  if (value !== known) {
    // The parent changed the date, so the text follows.
    setKnown(value);
    setText(value ?? '');
  }
  const accept = (next: string, date: CivilDate | null) => {
    setText(next);
    setKnown(date);
    if (date !== value) onChange(date);
  };
  const settle = () => {
    setTyping(false);
    accept(tidied(text), readDate(text));
  };
  const unfinished = typing && text.length > 0 && text.length < 10;
  const problem = unfinished ? null : dateProblem(text, min, max);
  const own = problem && fill(problemSentence(texts, problem), { date: problem.date });
  const outside = problem?.kind === 'dateTooEarly' || problem?.kind === 'dateTooLate';
  const opens = `${texts.openCalendar}: ${label}`;
  const button = (
    <IconButton label={opens} disabled={rest.disabled} onClick={() => setAsked(true)}>
      <Icon of={CalendarDays} />
    </IconButton>
  );
  return (
    <TextField
      {...rest}
      className={classes(styles.field, className)}
      id={id}
      label={label}
      hint={hint}
      error={unfinished ? undefined : own && !(outside && error) ? own : error}
      value={text}
      placeholder={texts.datePlaceholder}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={11}
      onChange={({ target }) => accept(target.value, isCivilDate(target.value) ? target.value : null)}
      onFocus={() => setTyping(true)}
      onBlur={settle}
      end={
        asked ? (
          <CalendarPopover
            label={opens}
            trigger={button}
            fallback={button}
            onMissing={() => setAsked(false)}
            value={value}
            {...dateBounds(min, max)}
            onPick={(date) => accept(date, date)}
          />
        ) : (
          button
        )
      }
    />
  );
}
