import { ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { maskName } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useNow } from '../../shared/hooks/useNow.ts';
import { joined } from '../../shared/i18n/format.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { ApplicantNames } from './ApplicantNames.tsx';
import { useCondition } from './conditionParts.tsx';
import { FingerprintsLine } from './FingerprintsLine.tsx';
import { appointmentLine } from './headline.ts';
import { MoveButton } from './MoveButton.tsx';
import { useOpenQuestion } from './pendingApproval.ts';
import { remaining } from './remaining.ts';
import { SidePanel } from './SidePanel.tsx';
import styles from './TaskRow.module.css';
import { applicantNames, gainedDays } from './taskView.ts';
import type { TaskMove } from './useTaskMove.ts';

/** A separate chunk, because questions are rare and last two minutes. */
const RowQuestion = lazyComponent(async () => (await import('./questionParts.tsx')).RowQuestion);

interface Props {
  task: Task;
  hidden: boolean;
  move: TaskMove;
  headingId: string;
  /** Id of the part of the card that the row opens. */
  bodyId: string;
  open: boolean;
  onToggle: () => void;
}

/** Renders the countdown to the next check. */
function NextCheck({ at }: { at: string }) {
  const { t } = useTranslation();
  const leftMs = Date.parse(at) - useNow(1_000);
  return <>{leftMs > 0 ? t('task.nextIn', { time: remaining(leftMs) }) : `${t('condition.dueNote')} ${t('condition.due')}`}</>;
}

/**
 * Renders a task in one or two lines: applicants, present appointment, days gained and condition. A
 * button opens the rest of the card.
 */
export function TaskRow({ task, hidden, move, headingId, bodyId, open, onToggle }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const cityName = useCityName();
  const reasonId = useId();
  const { view, title } = useCondition(task, hidden);
  const found = applicantNames(task.appointments);
  const names = found.length > 0 ? found : [task.portal_schedule_id];
  const [first] = task.appointments;
  const line = first && appointmentLine(first, first.facility ? cityName(first.facility) : t('reason.notAssigned'), language);
  const gained = gainedDays(task);
  const question = useOpenQuestion(task);
  // In a closed card the row itself shows a problem or a used limit. The open card shows it with
  // evidence.
  const alarm = !open && (view.tone === 'err' || view.tone === 'warn' || view.titleReplacesCountdown);
  const why = move.busy ? 'cap.countdown' : move.can.why;
  return (
    <div className={classes(styles.row, open && styles.whole)}>
      <SidePanel task={task} hidden={hidden} open={open} />
      <div className={styles.main}>
        <h3 id={headingId} className={styles.names}>
          <ApplicantNames names={names} hidden={hidden} />
        </h3>
        <div className={styles.appointment}>
          {line ?? t('reason.notScheduled')}
          {/* The open card shows it beside the application. */}
          {!open && <FingerprintsLine fingerprints={first?.fingerprints} />}
        </div>
        {!alarm && (
          <div className={styles.figures}>
            {/* The open card shows the days gained on the date line. */}
            {!open && gained !== null && <span className={styles.gained}>{t('task.gained', { count: gained })}</span>}
            {!open && view.nextAt && (
              <span className={styles.next}>
                <NextCheck at={view.nextAt} />
              </span>
            )}
          </div>
        )}
        <div className={styles.move}>
          <MoveButton move={move} reasonId={reasonId} />
        </div>
        <IconButton
          label={t('task.rowOf', { names: joined(hidden ? names.map(maskName) : names, language) })}
          aria-expanded={open}
          aria-controls={bodyId}
          onClick={onToggle}
          className={classes(styles.toggle, open && styles.open)}
        >
          <Icon of={ChevronDown} />
        </IconButton>
        {question && !open && <RowQuestion task={task} asked={question} hidden={hidden} disabled={move.busy} />}
        {alarm && !question && (
          <p className={classes(styles.alarm, styles[view.tone])}>
            <Icon of={view.icon} size={16} />
            {title}
          </p>
        )}
        {why && (
          // Beside a problem and during a countdown, the reason is only for screen readers. A
          // visible line would move the card.
          <p id={reasonId} className={move.busy || alarm ? styles.spoken : styles.reason}>
            {t(why)}
          </p>
        )}
      </div>
    </div>
  );
}
