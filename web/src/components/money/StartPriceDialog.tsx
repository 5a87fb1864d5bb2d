import type { Task } from '../../api/types.ts';
import type { TaskMove } from '../task/useTaskMove.ts';
import { PriceChangedDialog } from '../wizard/PriceChangedDialog.tsx';

/** A start that costs something else than was agreed: old and new price, and the start goes on once the new one is agreed to. */
export function StartPriceDialog({ task, move: { repriced } }: { task: Task; move: TaskMove }) {
  if (!repriced) return null;
  const { cost, confirm, close } = repriced;
  const names = { [task.id]: (task.appointments[0]?.applicant_names ?? []).join(', ') };
  return (
    <PriceChangedDialog
      before={task.price.total}
      cost={cost}
      names={names}
      confirmWords="group.agreeFree"
      onConfirm={confirm}
      onClose={close}
    />
  );
}
