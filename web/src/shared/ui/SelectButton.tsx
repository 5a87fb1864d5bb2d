import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './Icon.tsx';
import styles from './Select.module.css';

interface Props extends Omit<ComponentProps<'button'>, 'type' | 'role' | 'className' | 'style'> {
  opens: 'listbox' | 'dialog';
  size?: 'medium' | 'small';
  wrong: boolean;
  /** Action of the user on the button, or null if the focus has left it. */
  onBegun: (begun: Begun) => void;
  children: ReactNode;
}

/** Action of the user on a field before the code of its list loaded. */
export type Begun = 'focused' | 'pressed' | null;

/** Renders the closed field of a list until the code of the list has loaded. */
export function SelectButton({ opens, size = 'medium', wrong, onBegun, children, ...button }: Props) {
  return (
    <button
      {...button}
      type="button"
      role="combobox"
      aria-expanded={false}
      aria-haspopup={opens}
      onFocus={() => onBegun('focused')}
      onBlur={() => onBegun(null)}
      onClick={() => onBegun('pressed')}
      className={classes(styles.trigger, styles[size], wrong && styles.wrong)}
    >
      <span className={styles.value}>{children}</span>
      <span className={styles.icon}>
        <Icon of={ChevronDown} />
      </span>
    </button>
  );
}
