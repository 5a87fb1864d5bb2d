import { MailQuestion } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { answer, client } from '../../shared/api/client.ts';
import { ofTask } from '../../shared/api/tasks.ts';
import type { Question, Task } from '../../shared/api/types.ts';
import { errorText } from '../../shared/format/errorText.ts';
import { maskName } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { approvals, rowOf } from './pendingApproval.ts';
import type { AskedDate } from './question.ts';
import { remaining } from './remaining.ts';
import styles from './TaskRow.module.css';
import { reloadTask } from './taskCache.ts';
import { applicantNames } from './taskView.ts';

/** States in which an approval was accepted. The card then shows the outcome. */
const COUNTS: Question['state'][] = ['trying', 'booked', 'unknown'];

interface YesProps {
  task: Task;
  asked: AskedDate;
  /** True to mask the names of the applicants. */
  hidden: boolean;
  disabled: boolean;
}

/**
 * Renders the button that approves the date in a task's question. Its accessible name includes the
 * applicants, to distinguish it from the buttons of other tasks.
 */
export function YesButton({ task, asked, hidden, disabled }: YesProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const names = applicantNames(task.appointments);
  const [sending, setSending] = useState(false);
  const approve = async () => {
    setSending(true);
    const { facility, date } = asked;
    try {
      const response = await answer(client.POST('/schedules/{id}/answer', { params: ofTask(task.id), body: { facility, date } }));
      if (COUNTS.includes(response.state)) {
        approvals.set({ ...approvals.get(), [task.id]: { ...asked, atMs: Date.now(), row: rowOf(task) } });
        toast.success(t('condition.yesCounts'));
      } else toast.warning(t('condition.yesTooLate'));
      await reloadTask(task.id);
    } catch (error) {
      toast.error(t(errorText(error, 'condition.yesFailed')));
    } finally {
      setSending(false);
    }
  };
  return (
    <Button
      size="small"
      loading={sending}
      disabled={disabled}
      aria-label={t('condition.yesTo', {
        yes: t('condition.yes'),
        askedDate: asked.date,
        askedCity: cityName(asked.facility),
        names: joined(hidden ? names.map(maskName) : names, language),
        // An accessible name must not contain the invisible characters against line breaks.
        interpolation: { escapeValue: false },
      })}
      onClick={() => void approve()}
    >
      {t('condition.yes')}
    </Button>
  );
}

/**
 * Renders an open question in a closed card: the date, the remaining time, and the approval button.
 */
export function RowQuestion({ task, asked, hidden, disabled }: YesProps) {
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
        <YesButton task={task} asked={asked} hidden={hidden} disabled={disabled} />
      </span>
    </div>
  );
}
