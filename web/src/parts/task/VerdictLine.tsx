import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './Verdict.module.css';
import { useVerdict, VerdictEnd, type VerdictProps } from './verdictParts.tsx';

/** One conclusion, one line of evidence, the countdown; and the one button that mends it, where there is one. */
export function VerdictLine({ task, hidden, busy, onAction }: VerdictProps) {
  const { view, title, detail } = useVerdict(task, hidden);
  return (
    <div className={classes(styles.verdict, styles[view.tone])}>
      <span className={styles.icon}>
        <Icon of={view.icon} />
      </span>
      <div role="status">
        <p className={styles.title}>{title}</p>
        <p className={styles.detail}>{detail}</p>
      </div>
      <VerdictEnd task={task} busy={busy} onAction={onAction} />
    </div>
  );
}
