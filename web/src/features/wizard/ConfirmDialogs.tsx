import { InsufficientDialog, PriceChangedDialog, TakenDialog } from './lazyParts.ts';
import type { Confirmation } from './useConfirm.ts';

interface Props {
  confirm: Confirmation;
  onPrevious: () => void;
  onOtherAccount: () => void;
}

/**
 * Renders the dialog of a refused submission: the balance is too low, the price has changed, or an
 * appointment already has a task.
 */
export function ConfirmDialogs({ confirm, onPrevious, onOtherAccount }: Props) {
  const { refusal, cost, names, payment, forget, resume, refusedTotal } = confirm;
  const { short, changed, taken } = refusal;
  return (
    <>
      {short && (
        <InsufficientDialog
          shortage={short}
          cost={cost}
          names={names}
          onClose={forget}
          action="submit.button"
          onResume={resume}
          onMissing={forget}
        />
      )}
      {changed && (
        <PriceChangedDialog
          before={refusedTotal}
          cost={changed}
          names={names}
          onClose={forget}
          onMissing={forget}
          onConfirm={() => {
            payment.agreeTo(changed.total_amount);
            resume();
          }}
        />
      )}
      {taken && (
        <TakenDialog error={taken} onClose={forget} onMissing={forget} onRetry={onPrevious} onOtherAccount={onOtherAccount} />
      )}
    </>
  );
}
