import { Progress as Base } from '@base-ui/react/progress';
import styles from './Progress.module.css';

interface Props {
  /** Accessible name of the operation. */
  label: string;
  /** Percentage from 0 to 100, or null while unknown. */
  value: number | null;
  /** Text for screen readers in place of the percentage. */
  valueText?: string;
}

/** Renders a progress bar. */
export function Progress({ label, value, valueText }: Props) {
  return (
    <Base.Root value={value} aria-label={label} getAriaValueText={valueText === undefined ? undefined : () => valueText}>
      <Base.Track className={styles.track}>
        <Base.Indicator className={styles.bar} />
      </Base.Track>
    </Base.Root>
  );
}
