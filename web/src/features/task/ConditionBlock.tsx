import { Check } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { RUNNING } from '../../parts/task/condition.ts';
import { ConditionEnd, type ConditionProps, useCondition } from '../../parts/task/conditionParts.tsx';
import { useDeadline } from '../../parts/task/useDeadline.ts';
import type { Task } from '../../shared/api/types.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './ConditionBlock.module.css';

/** Returns the known facts that support the condition, as texts for a list with ticks. */
function useTicks(task: Task): string[] {
  const { t } = useTranslation();
  const deadline = useDeadline(task);
  if (!RUNNING.includes(task.status)) return [];
  const { looks, verdict: condition } = task.engine;
  const ticks: string[] = [];
  if (task.visa_credentials.health === 'valid') ticks.push(t('detail.tickAccount'));
  if (condition.code === 'watching') ticks.push(t('detail.tickOpen'));
  if (looks)
    ticks.push(
      t('detail.tickBudget', {
        hour: looks.hour_used,
        hourLimit: looks.hour_limit,
        ten: looks.ten_hours_used,
        tenLimit: looks.ten_hours_limit,
      }),
    );
  if (deadline && Date.parse(task.change_deadline ?? '') > Date.now()) ticks.push(t('detail.tickDeadline', { when: deadline }));
  return ticks;
}

/**
 * Renders the condition at the top of the page: its text and evidence, the countdown, and the
 * button that fixes a problem.
 */
export function ConditionBlock({ task, hidden, busy, onAction }: ConditionProps) {
  const { view, title, detail } = useCondition(task, hidden);
  const ticks = useTicks(task);
  return (
    <div className={classes(styles.block, styles[view.tone])}>
      <span className={styles.icon}>
        <Icon of={view.icon} size={24} />
      </span>
      <div>
        <div role="status">
          <p className={styles.title}>{title}</p>
          <p className={styles.detail}>{detail}</p>
        </div>
        {ticks.length > 0 && (
          <ul className={styles.ticks}>
            {ticks.map((tick) => (
              <li key={tick}>
                <Icon of={Check} size={14} />
                <span>{tick}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
      <ConditionEnd task={task} hidden={hidden} busy={busy} onAction={onAction} large />
    </div>
  );
}
