import { type ComponentProps, type ReactElement, useState } from 'react';
import { Calendar } from './Calendar.tsx';
import styles from './DateField.module.css';
import { Popover } from './Popover.tsx';

interface Props extends ComponentProps<typeof Calendar> {
  label: string;
  /** Button that the user pressed. It also opens the calendar again. */
  trigger: ReactElement;
}

/** Renders the calendar beside a date field. It is open when it mounts. */
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
