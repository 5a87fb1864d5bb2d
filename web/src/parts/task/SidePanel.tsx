import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import { isCompleted } from '../../shared/api/taskList.ts';
import type { Task } from '../../shared/api/types.ts';
import { minutesBetween } from '../../shared/format/elapsed.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { amount, instantParts, unbroken } from '../../shared/i18n/format.ts';
import type { Language } from '../../shared/i18n/language.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { LiveDot } from '../../shared/ui/LiveDot.tsx';
import { largestUnit } from './largestUnit.ts';
import { useOpenQuestion } from './pendingApproval.ts';
import styles from './SidePanel.module.css';
import { holdText, isStarting, progressOf, statusView } from './taskView.ts';

const DAY_MS = 86_400_000;

/** Formats a duration in its largest unit, such as `3 days` or `11 分钟`. */
function span(minutes: number, language: Language): string {
  const { unit, count } = largestUnit(minutes);
  const format = new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(count).replace(/(\d)(?=\p{L})/u, '$1 ');
}

/** Returns a text about how long a task has been in its state. */
function useSinceText(task: Task): string {
  const { t } = useTranslation();
  const language = useLanguage();
  const since = Date.parse(task.submitted_at ?? task.created_at);
  if (isStarting(task)) return t('task.starting', { percent: progressOf(task.status) });
  if (task.status === 'active') return t('task.day', { count: Math.max(1, Math.ceil((Date.now() - since) / DAY_MS)) });
  if (isCompleted(task)) return t('task.took', { span: span(minutesBetween(since, Date.parse(task.status_since)), language) });
  return t('task.sinceDay', { when: unbroken(instantParts(task.status_since).date) });
}

/** Renders a thin progress bar, until the first poll. */
function Progress({ percent }: { percent: number }) {
  const { t } = useTranslation();
  return (
    <div
      role="progressbar"
      aria-label={t('task.progress')}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={styles.progress}
    >
      <div style={{ '--percent': `${percent}%` } as CSSProperties} />
    </div>
  );
}

interface Props {
  task: Task;
  hidden: boolean;
  /** True if the card is open. The panel then also shows whether money is on hold. */
  open: boolean;
}

/**
 * Renders the coloured panel of a card: the status, its duration, and the price. In a narrow card
 * it is a strip at the top.
 */
export function SidePanel({ task, hidden, open }: Props) {
  const { t } = useTranslation();
  useOpenQuestion(task);
  const billing = useBilling();
  const status = statusView(task);
  const sinceText = useSinceText(task);
  return (
    <div className={classes(styles.panel, styles[status.tone], open && styles.above)}>
      <div className={styles.status}>
        {status.icon ? <Icon of={status.icon} size={18} /> : <LiveDot />}
        {t(status.label)}
      </div>
      <div className={classes(styles.standing, !open && !isStarting(task) && styles.inStrip)}>{sinceText}</div>
      {isStarting(task) && <Progress percent={progressOf(task.status)} />}
      {billing && (
        <>
          <div className={styles.price}>
            {hidden ? MASKED_AMOUNT : amount(task.price.total)} <small>{task.price.currency}</small>
          </div>
          {open && <div className={styles.hold}>{t(holdText(task))}</div>}
        </>
      )}
    </div>
  );
}
