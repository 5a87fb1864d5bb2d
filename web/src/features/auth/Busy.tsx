import { Spinner } from '../../shared/ui/Spinner.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './Busy.module.css';

/** Renders a spinner with a text. */
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
