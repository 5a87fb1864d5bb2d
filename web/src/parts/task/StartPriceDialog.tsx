import { lazy, Suspense } from 'react';
import type { Task } from '../../shared/api/types.ts';
import { withWords } from '../../shared/i18n/speak.ts';
import type { TaskMove } from './useTaskMove.ts';

/** With the whole balance card: loaded when money is missing. */
const InsufficientDialog = lazy(async () => ({
  default: await withWords(
    ['parts/balance', 'parts/balance/pay'],
    async () => (await import('../balance/InsufficientDialog.tsx')).InsufficientDialog,
  ),
}));

const PriceChangedDialog = lazy(async () => ({
  default: await withWords(
    ['parts/balance/pay'],
    async () => (await import('../balance/PriceChangedDialog.tsx')).PriceChangedDialog,
  ),
}));

/** A start that costs something else than was agreed: old and new price, and the start goes on once the new one is agreed to; or more than there is: what is missing, and the place to top up. */
export function StartPriceDialog({ task, move: { repriced, short } }: { task: Task; move: TaskMove }) {
  const names = { [task.id]: (task.appointments[0]?.applicant_names ?? []).join(', ') };
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
        confirmWords="group.agreeFree"
        onConfirm={confirm}
        onClose={close}
      />
    </Suspense>
  );
}
