import { lazy, Suspense } from 'react';
import type { Task } from '../../shared/api/types.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import type { TaskMove } from './useTaskMove.ts';

/** Contains the card of the balance. Loads when money is missing. */
const InsufficientDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/balance', 'parts/balance/pay'],
    async () => (await import('../balance/InsufficientDialog.tsx')).InsufficientDialog,
  ),
}));

/** Contains the rules of the criteria editor. Loads when all permitted reschedules are used. */
const AllowMoreDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/criteria', 'parts/task/more'],
    async () => (await import('./AllowMoreDialog.tsx')).AllowMoreDialog,
  ),
}));

const PriceChangedDialog = lazy(async () => ({
  default: await withTexts(
    ['parts/balance/pay'],
    async () => (await import('../balance/PriceChangedDialog.tsx')).PriceChangedDialog,
  ),
}));

interface Props {
  task: Task;
  move: TaskMove;
  /** Opens the editor of the task's criteria. */
  onEdit: () => void;
}

/**
 * Renders the dialog for the obstacle to a start. There are three obstacles: all permitted
 * reschedules are used, the price has changed, or the balance is too low.
 */
export function StartPriceDialog({ task, move: { repriced, short, more }, onEdit }: Props) {
  const names = { [task.id]: (task.appointments[0]?.applicant_names ?? []).join(', ') };
  const conditions = () => {
    more?.close();
    onEdit();
  };
  if (more && !repriced && !short)
    return (
      <Suspense fallback={null}>
        <AllowMoreDialog task={task} onAllowed={more.start} onConditions={conditions} onClose={more.close} />
      </Suspense>
    );
  if (short)
    return (
      <Suspense fallback={null}>
        <InsufficientDialog shortage={short.shortage} cost={null} names={names} onClose={short.close} onResume={short.resume} />
      </Suspense>
    );
  if (!repriced) return null;
  const { cost, confirm, close } = repriced;
  return (
    <Suspense fallback={null}>
      <PriceChangedDialog
        before={task.price.total}
        cost={cost}
        names={names}
        confirmText="group.agreeFree"
        onConfirm={confirm}
        onClose={close}
      />
    </Suspense>
  );
}
