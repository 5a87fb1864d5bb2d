import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './Condition.module.css';
import { ConditionEnd, type ConditionProps, useCondition } from './conditionParts.tsx';

/**
 * Renders the condition of a task: its title, one line of evidence, the countdown, and a button
 * that fixes the problem if there is one.
 */
export function ConditionLine({ task, hidden, busy, onAction }: ConditionProps) {
  const { view, title, detail } = useCondition(task, hidden);
  return (
    <div className={classes(styles.condition, styles[view.tone])}>
      <span className={styles.icon}>
        <Icon of={view.icon} />
      </span>
      <div role="status">
        <p className={styles.title}>{title}</p>
        <p className={styles.detail}>{detail}</p>
      </div>
      <ConditionEnd task={task} hidden={hidden} busy={busy} onAction={onAction} />
    </div>
  );
}
