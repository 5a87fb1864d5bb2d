import { Eye, EyeOff, Pencil } from 'lucide-react';
import { lazy, Suspense, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Tooltip } from '../../shared/ui/Tooltip.tsx';
import { Appointments } from './Appointments.tsx';
import { ConditionLine } from './ConditionLine.tsx';
import { Criteria } from './Criteria.tsx';
import { capability, capabilityWhile } from './capabilities.ts';
import type { ConditionProps } from './conditionParts.tsx';
import { SuccessHistory } from './SuccessHistory.tsx';
import { TaskAccount } from './TaskAccount.tsx';
import styles from './TaskBody.module.css';
import { TaskDateLine } from './TaskDateLine.tsx';
import { TaskFigures } from './TaskFigures.tsx';
import { TaskFooter } from './TaskFooter.tsx';
import { TaskMeta } from './TaskMeta.tsx';
import { earlierDates } from './taskView.ts';

/** Loads only after the first booking of a task. */
const RatingPrompt = lazy(async () => ({ default: (await import('./RatingPrompt.tsx')).RatingPrompt }));

interface Props extends ConditionProps {
  onHide: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** Renders the open part of a task's card: condition, history, price, and all settings. */
export function TaskBody({ task, hidden, busy, onAction, onHide, onEdit, onDelete }: Props) {
  const won = earlierDates(task).length > 0;
  const criteria = (
    <>
      <TaskFigures task={task} />
      <Criteria task={task} busy={busy} />
    </>
  );
  return (
    <div className={styles.root}>
      <Head task={task} hidden={hidden} busy={busy} onHide={onHide} onEdit={onEdit} />
      <ConditionLine task={task} hidden={hidden} busy={busy} onAction={onAction} />
      <TaskDateLine task={task} />
      {!won && criteria}
      {task.success_history.length > 0 && <SuccessHistory entries={task.success_history} />}
      {won && criteria}
      {(task.rating_wanted || task.rating) && (
        <Suspense fallback={null}>
          <RatingPrompt task={task} />
        </Suspense>
      )}
      <Appointments task={task} hidden={hidden} />
      <TaskAccount task={task} hidden={hidden} />
      <TaskFooter task={task} busy={busy} onDelete={onDelete} />
    </div>
  );
}

/**
 * Renders the applicants, and the buttons *hide* and *edit*. If editing is not permitted, it shows
 * the reason.
 */
function Head({ task, hidden, busy, onHide, onEdit }: Pick<Props, 'task' | 'hidden' | 'busy' | 'onHide' | 'onEdit'>) {
  const { t } = useTranslation();
  const reasonId = useId();
  const edit = capabilityWhile(busy, task, 'edit');
  const { why } = capability(task, 'edit');
  const eye = hidden ? t('task.show') : t('task.hide');
  return (
    <div className={styles.head}>
      <TaskMeta task={task} hidden={hidden} />
      <div className={styles.actions}>
        <Tooltip text={eye}>
          <IconButton label={eye} aria-pressed={hidden} onClick={onHide}>
            <Icon of={hidden ? EyeOff : Eye} />
          </IconButton>
        </Tooltip>
        <Tooltip text={t('task.edit')}>
          <IconButton
            label={t('task.edit')}
            aria-describedby={why ? reasonId : undefined}
            onClick={onEdit}
            disabled={!edit.allowed}
          >
            <Icon of={Pencil} />
          </IconButton>
        </Tooltip>
      </div>
      {why && (
        <p id={reasonId} className={styles.reason}>
          {t(why)}
        </p>
      )}
    </div>
  );
}
