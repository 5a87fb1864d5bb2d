import { lazy, Suspense, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Task } from '../../shared/api/types.ts';
import { maskEmail } from '../../shared/format/mask.ts';
import { useCityName } from '../../shared/format/useCityName.ts';
import { useHiddenPeople } from '../../shared/hooks/useHiddenPeople.ts';
import { withWords } from '../../shared/i18n/speak.ts';
import { Card } from '../../shared/ui/Card.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Appointments } from './Appointments.tsx';
import { ConditionLine } from './ConditionLine.tsx';
import { Criteria } from './Criteria.tsx';
import type { ConditionAction } from './condition.ts';
import { useHighlighted, usePresented } from './highlights.ts';
import { RatingPrompt } from './RatingPrompt.tsx';
import { SidePanel } from './SidePanel.tsx';
import { StartPriceDialog } from './StartPriceDialog.tsx';
import { SuccessHistory } from './SuccessHistory.tsx';
import { TaskAccount } from './TaskAccount.tsx';
import styles from './TaskCard.module.css';
import { TaskDateLine } from './TaskDateLine.tsx';
import { TaskFigures } from './TaskFigures.tsx';
import { TaskFooter } from './TaskFooter.tsx';
import { TaskHeader } from './TaskHeader.tsx';
import { earlierDates, taskFacts } from './taskView.ts';
import { useTaskMove } from './useTaskMove.ts';
import { useBookingNews } from './useTellBooking.ts';

const UpdatePasswordDialog = lazy(async () => ({
  default: await withWords(
    ['parts/portalAccount'],
    async () => (await import('./UpdatePasswordDialog.tsx')).UpdatePasswordDialog,
  ),
}));
const GroupDifferenceDialog = lazy(async () => ({
  default: await withWords(
    ['parts/balance', 'parts/balance/pay'],
    async () => (await import('./GroupDifferenceDialog.tsx')).GroupDifferenceDialog,
  ),
}));

/** With its date pickers a chunk of its own: nobody waits for it before wanting to change something. */
const EditDialog = lazy(async () => ({
  default: await withWords(['parts/criteria'], async () => (await import('./EditDialog.tsx')).EditDialog),
}));

/** One task, whole: is it working, what did it do, what does it cost, and everything one may change. */
export function TaskCard({ task, onDelete }: { task: Task; onDelete: (task: Task) => void }) {
  const { t } = useTranslation();
  const headingId = useId();
  const cityName = useCityName();
  const [hidden, toggleHidden] = useHiddenPeople(task.id);
  const [dialog, setDialog] = useState<'edit' | 'password' | 'group' | null>(null);
  const move = useTaskMove(task);
  useBookingNews(task);
  const highlighted = useHighlighted(task.id);
  usePresented(task.id, `task-${task.id}`);
  const earlier = earlierDates(task);
  const won = earlier.length > 0;
  const { city, account } = taskFacts(task);
  const shownAccount = hidden ? maskEmail(account) : account;
  const title = t('task.title', { city: city ? cityName(city) : t('task.unknownPlace'), account: shownAccount });
  const onAction = (action: NonNullable<ConditionAction>) => {
    if (action === 'start' || action === 'keepLooking' || action === 'allowMore') move.delayed.start();
    else if (action === 'acceptGroup') setDialog('group');
    else setDialog(action === 'edit' ? 'edit' : 'password');
  };
  const criteria = <Criteria task={task} busy={move.busy} />;
  return (
    <Card
      as="article"
      id={`task-${task.id}`}
      aria-labelledby={headingId}
      data-highlighted={highlighted || undefined}
      className={classes(styles.card, highlighted && styles.highlighted)}
    >
      <div className={styles.columns}>
        <SidePanel task={task} hidden={hidden} />
        <div className={styles.main}>
          <TaskHeader
            task={task}
            hidden={hidden}
            move={move}
            headingId={headingId}
            onHide={toggleHidden}
            onEdit={() => setDialog('edit')}
          />
          <ConditionLine task={task} hidden={hidden} busy={move.busy} onAction={onAction} />
          <TaskDateLine task={task} />
          {!won && <TaskFigures task={task} />}
          {!won && criteria}
          <Appointments task={task} hidden={hidden} />
          {task.success_history.length > 0 && <SuccessHistory entries={task.success_history} />}
          <RatingPrompt task={task} />
          {won && criteria}
          {won && <TaskFigures task={task} />}
          <TaskAccount task={task} hidden={hidden} />
          <TaskFooter task={task} busy={move.busy} onDelete={() => onDelete(task)} />
        </div>
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
}
