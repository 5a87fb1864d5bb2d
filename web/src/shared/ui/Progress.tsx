import { Progress as Base } from '@base-ui/react/progress';
import styles from './Progress.module.css';

interface Props {
  /** Name of the operation. */
  label: string;
  /** 0 to 100, or null while unknown. */
  value: number | null;
  /** Read aloud in place of a percentage. */
  valueText?: string;
}

/** Renders a bar that fills. */
export function Progress({ label, value, valueText }: Props) {
  return (
    <Base.Root value={value} aria-label={label} getAriaValueText={valueText === undefined ? undefined : () => valueText}>
      <Base.Track className={styles.track}>
        <Base.Indicator className={styles.bar} />
      </Base.Track>
    </Base.Root>
  );
}
