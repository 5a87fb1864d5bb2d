import { Spinner } from '../../shared/ui/Spinner.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './Busy.module.css';

/** A spinner with what is being waited for. */
export function Busy({ text }: { text: string }) {
  return (
    <div role="status" className={styles.busy}>
      <Spinner size="large" />
      <Text variant="small" color="secondary">
        {text}
      </Text>
    </div>
  );
}
