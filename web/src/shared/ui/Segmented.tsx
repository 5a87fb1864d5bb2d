import type { ReactNode } from 'react';
import styles from './Segmented.module.css';

interface SegmentedProps<T extends string> {
  label: string;
  value: T;
  options: { value: T; label: ReactNode; lang?: string }[];
  onChange: (value: T) => void;
}

/** Renders a small group of options, of which one is selected. A selection applies at once. */
export function Segmented<T extends string>({ label, value, options, onChange }: SegmentedProps<T>) {
  return (
    <fieldset aria-label={label} className={styles.track}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          lang={option.lang}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
          className={styles.segment}
        >
          {option.label}
        </button>
      ))}
    </fieldset>
  );
}
