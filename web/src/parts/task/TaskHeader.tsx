import { Eye, EyeOff, Pencil } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Tooltip } from '../../shared/ui/Tooltip.tsx';
import { ApplicantNames } from './ApplicantNames.tsx';
import { capabilityWhile } from './capabilities.ts';
import { MoveButton } from './MoveButton.tsx';
import styles from './TaskHeader.module.css';
import { TaskMeta } from './TaskMeta.tsx';
import { applicantNames } from './taskView.ts';
import type { TaskMove } from './useTaskMove.ts';

interface Props {
  task: Task;
  hidden: boolean;
  move: TaskMove;
  headingId: string;
  onHide: () => void;
  onEdit: () => void;
}

/** Who the task is for, and what can be done with it; what can not says why under the buttons. */
export function TaskHeader({ task, hidden, move, headingId, onHide, onEdit }: Props) {
  const { t } = useTranslation();
  const reasonId = useId();
  const names = applicantNames(task.appointments);
  const edit = capabilityWhile(move.busy, task, 'edit');
  const reasons = [...new Set([edit.why, move.busy ? null : move.can.why])].filter((why) => why !== null);
  return (
    <div className={styles.header}>
      <div className={styles.who}>
        <h3 id={headingId} className={styles.names}>
          <ApplicantNames names={names.length > 0 ? names : [task.portal_schedule_id]} hidden={hidden} />
        </h3>
        <TaskMeta task={task} hidden={hidden} />
      </div>
      <div className={styles.actions}>
        <Tooltip text={hidden ? t('task.show') : t('task.hide')}>
          <IconButton label={hidden ? t('task.show') : t('task.hide')} aria-pressed={hidden} onClick={onHide}>
            <Icon of={hidden ? EyeOff : Eye} />
          </IconButton>
        </Tooltip>
        <Tooltip text={t('task.edit')}>
          <IconButton
            label={t('task.edit')}
            aria-describedby={edit.allowed ? undefined : reasonId}
            onClick={onEdit}
            disabled={!edit.allowed}
          >
            <Icon of={Pencil} />
          </IconButton>
        </Tooltip>
        <div className={styles.move}>
          <MoveButton move={move} reasonId={reasonId} />
        </div>
      </div>
      {reasons.length > 0 && (
        // During the countdown only read out: a line that comes and goes would move the card.
        <p id={reasonId} className={move.busy ? styles.spoken : styles.reasons}>
          {reasons.map((why) => t(why)).join(' ')}
        </p>
      )}
    </div>
  );
}
