import { type ComponentProps, type ReactElement, useState } from 'react';
import { Calendar } from './Calendar.tsx';
import styles from './DateField.module.css';
import { Popover } from './Popover.tsx';

interface Props extends ComponentProps<typeof Calendar> {
  label: string;
  /** The button that was pressed, and that reopens it. */
  trigger: ReactElement;
}

/** Renders the calendar beside a date's field, open at first. */
export function CalendarPopover({ label, trigger, onPick, ...calendar }: Props) {
  const [open, setOpen] = useState(true);
  const pick: typeof onPick = (date) => {
    onPick(date);
    setOpen(false);
  };
  return (
    <Popover open={open} onOpenChange={setOpen} label={label} align="end" bare initialFocus={false} trigger={trigger}>
      <div className={styles.room}>
        <Calendar {...calendar} onPick={pick} />
      </div>
    </Popover>
  );
}
