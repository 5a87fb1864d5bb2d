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
import { fill, useUiWords } from './UiWords.tsx';

/** Its code comes when it is opened first. Without it the date can still be typed, and the next press tries again. */
const CalendarPopover = lazyComponent(async () => (await import('./CalendarPopover.tsx')).CalendarPopover);

interface Props {
  label: string;
  hideLabel?: boolean;
  hint?: ReactNode;
  /**
   * Why the form does not take it. It is said in place of the field's own words about `min` and `max`, but not while a date is
   * being typed, nor where what was typed is no date.
   */
  error?: string;
  value: CivilDate | null;
  /**
   * Gets the date, or null while the text is none. A date outside `min` and `max` is passed on as well, so that text and
   * value agree; the field says what is wrong, and the form asks `dateProblem` of `dateText.ts`.
   */
  onChange: (date: CivilDate | null) => void;
  min?: CivilDate | null;
  max?: CivilDate | null;
  size?: 'medium' | 'small';
  name?: string;
  disabled?: boolean;
  className?: string;
}

/** A civil date, typed as YYYY-MM-DD or picked from a calendar that opens beside the field. */
export function DateField({ label, hint, error, value, onChange, min, max, className, ...rest }: Props) {
  const words = useUiWords();
  const id = useId();
  const [text, setText] = useState(value ?? '');
  const [known, setKnown] = useState(value);
  const [typing, setTyping] = useState(false);
  const [asked, setAsked] = useState(false);
  if (value !== known) {
    // Somebody else changed the date, not the text: the text follows.
    setKnown(value);
    setText(value ?? '');
  }
  const take = (next: string, date: CivilDate | null) => {
    setText(next);
    setKnown(date);
    if (date !== value) onChange(date);
  };
  const settle = () => {
    setTyping(false);
    take(tidied(text), readDate(text));
  };
  const unfinished = typing && text.length > 0 && text.length < 10;
  const problem = unfinished ? null : dateProblem(text, min, max);
  const own = problem && fill(problemSentence(words, problem), { date: problem.date });
  const outside = problem?.kind === 'dateTooEarly' || problem?.kind === 'dateTooLate';
  const opens = `${words.openCalendar}: ${label}`;
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
      placeholder={words.datePlaceholder}
      inputMode="numeric"
      autoComplete="off"
      spellCheck={false}
      maxLength={11}
      onChange={({ target }) => take(target.value, isCivilDate(target.value) ? target.value : null)}
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
            onPick={(date) => take(date, date)}
          />
        ) : (
          button
        )
      }
    />
  );
}
