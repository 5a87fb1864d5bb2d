import { MailQuestion } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import type { AskedDate } from './question.ts';
import { remaining } from './remaining.ts';
import styles from './TaskRow.module.css';
import { YesButton } from './YesButton.tsx';

/** In the closed row: what an open question asks, how long a yes counts, and the yes. */
export function RowQuestion({ task, asked, busy }: { task: Task; asked: AskedDate; busy: boolean }) {
  const { t } = useTranslation();
  const cityName = useCityName();
  const leftMs = Date.parse(asked.until) - useNow(1_000);
  return (
    <div className={classes(styles.alarm, styles.question)}>
      <Icon of={MailQuestion} size={16} />
      <span role="status">{t('condition.askedRow', { askedDate: asked.date, askedCity: cityName(asked.facility) })}</span>
      <span className={styles.left}>
        {remaining(leftMs)} {t('condition.untilAnswer')}
      </span>
      <span className={styles.yes}>
        <YesButton task={task} asked={asked} disabled={busy} />
      </span>
    </div>
  );
}
