import { Progress as Base } from '@base-ui/react/progress';
import styles from './Progress.module.css';

interface Props {
  /** What progresses. */
  label: string;
  /** 0 to 100, or null while it is not known. */
  value: number | null;
  /** What is read out in place of a percentage. */
  valueText?: string;
}

/** A bar that fills. */
export function Progress({ label, value, valueText }: Props) {
  return (
    <Base.Root value={value} aria-label={label} getAriaValueText={valueText === undefined ? undefined : () => valueText}>
      <Base.Track className={styles.track}>
        <Base.Indicator className={styles.bar} />
      </Base.Track>
    </Base.Root>
  );
}
