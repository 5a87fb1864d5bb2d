import { MailQuestion } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { Question, Task } from '../../shared/api/types.ts';
import { errorWords } from '../../shared/format/errorWords.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import type { AskedDate } from './question.ts';
import { remaining } from './remaining.ts';
import styles from './TaskRow.module.css';
import { reloadTask } from './taskCache.ts';

/** The yes counts, or counted before: what comes of it, the card shows. */
const COUNTS: Question['state'][] = ['trying', 'booked', 'unknown'];

/** Says yes to the day that a task asks about, as the link in its message does. */
export function YesButton({ task, asked, disabled }: { task: Task; asked: AskedDate; disabled: boolean }) {
  const { t } = useTranslation();
  const [sending, setSending] = useState(false);
  const sayYes = async () => {
    setSending(true);
    const { facility, date } = asked;
    try {
      const said = await answer(client.POST('/schedules/{id}/answer', { params: ofTask(task.id), body: { facility, date } }));
      if (COUNTS.includes(said.state)) toast.success(t('condition.yesCounts'));
      else toast.warning(t('condition.yesTooLate'));
      await reloadTask(task.id);
    } catch (error) {
      toast.error(t(errorWords(error, 'condition.yesFailed')));
    } finally {
      setSending(false);
    }
  };
  return (
    <Button size="small" loading={sending} disabled={disabled} onClick={() => void sayYes()}>
      {t('condition.yes')}
    </Button>
  );
}

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
