import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import styles from './OptionChip.module.css';

interface Props {
  pressed: boolean;
  onClick: () => void;
  disabled?: boolean;
  children: ReactNode;
}

/** Renders one of several predefined options. The chosen one has a tick. */
export function OptionChip({ pressed, onClick, disabled, children }: Props) {
  return (
    <button type="button" aria-pressed={pressed} disabled={disabled} onClick={onClick} className={styles.chip}>
      {pressed && <Icon of={Check} size={16} />}
      {children}
    </button>
  );
}
