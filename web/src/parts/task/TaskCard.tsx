import { lazy, memo, Suspense, useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useHiddenApplicants } from '../../shared/hooks/useHiddenApplicants.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { Card } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import type { OwnAction } from './conditionParts.tsx';
import { useHighlighted, usePresented } from './highlights.ts';
import { useOpenRow } from './openRows.ts';
import { StartPriceDialog } from './StartPriceDialog.tsx';
import { TaskBody } from './TaskBody.tsx';
import styles from './TaskCard.module.css';
import { TaskRow } from './TaskRow.tsx';
import { taskFacts } from './taskView.ts';
import { useBookingNews } from './useAnnounceBooking.ts';
import { useFreshPlan } from './useFreshPlan.ts';
import { useTaskMove } from './useTaskMove.ts';

const UpdatePasswordDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/portalAccount'],
    async () => (await import('./UpdatePasswordDialog.tsx')).UpdatePasswordDialog,
  ),
}));
const GroupDifferenceDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/balance', 'parts/balance/pay'],
    async () => (await import('./GroupDifferenceDialog.tsx')).GroupDifferenceDialog,
  ),
}));

/**
 * The dialog is a separate chunk because of its date pickers. It loads when the user starts to
 * edit.
 */
const EditDialog = lazy(async () => ({
  default: await withTexts(['parts/criteria'], async () => (await import('./EditDialog.tsx')).EditDialog),
}));

interface Props {
  task: Task;
  /** True if this is the only task. Its card is open until the user closes it. */
  alone?: boolean;
  onDelete: (task: Task) => void;
}

/**
 * Renders the card of one task: a row with its appointment and condition, which opens to show the
 * history and all settings. The list is polled every 30 s and after events, so `memo` skips cards
 * whose data is unchanged.
 */
export const TaskCard = memo(function TaskCard({ task, alone = false, onDelete }: Props) {
  const { t } = useTranslation();
  const headingId = useId();
  const bodyId = useId();
  const [open, toggleOpen] = useOpenRow(task.id, alone);
  const [drawn, setDrawn] = useState(open);
  const cityName = useCityName();
  const [hidden, toggleHidden] = useHiddenApplicants(task.id);
  const [dialog, setDialog] = useState<'edit' | 'password' | 'group' | null>(null);
  const move = useTaskMove(task);
  useBookingNews(task);
  useFreshPlan(task);
  const highlighted = useHighlighted(task.id);
  usePresented(task.id, `task-${task.id}`);
  // The body stays mounted once it was open, so that typed text survives closing the card.
  useEffect(() => {
    if (open) setDrawn(true);
  }, [open]);
  const { city, account } = taskFacts(task);
  const shownAccount = hidden ? maskEmail(account) : account;
  const title = t('task.title', { city: city ? cityName(city) : t('task.unknownPlace'), account: shownAccount });
  const onAction = (action: OwnAction) => {
    if (action === 'acceptGroup') setDialog('group');
    else setDialog(action === 'edit' ? 'edit' : 'password');
  };
  return (
    <Card
      as="article"
      id={`task-${task.id}`}
      aria-labelledby={headingId}
      data-highlighted={highlighted || undefined}
      className={classes(styles.card, highlighted && styles.highlighted)}
    >
      <TaskRow task={task} hidden={hidden} move={move} headingId={headingId} bodyId={bodyId} open={open} onToggle={toggleOpen} />
      <div id={bodyId} hidden={!open} className={styles.body}>
        {(open || drawn) && (
          <TaskBody
            task={task}
            hidden={hidden}
            busy={move.busy}
            onAction={onAction}
            onHide={toggleHidden}
            onEdit={() => setDialog('edit')}
            onDelete={() => onDelete(task)}
          />
        )}
      </div>
      <Suspense fallback={null}>
        {dialog === 'edit' && <EditDialog task={task} title={title} onClose={() => setDialog(null)} />}
        {dialog === 'group' && <GroupDifferenceDialog task={task} onClose={() => setDialog(null)} />}
        {dialog === 'password' && (
          <UpdatePasswordDialog
            login={{ username: account, countryCode: task.country_code, visaType: task.visa_type }}
            shownAs={shownAccount}
            taskIds={[task.id]}
            done="toast.passwordRenewed"
            onClose={() => setDialog(null)}
          />
        )}
      </Suspense>
      <StartPriceDialog task={task} move={move} onEdit={() => setDialog('edit')} />
    </Card>
  );
});
