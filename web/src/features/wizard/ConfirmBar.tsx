import { useTranslation } from 'react-i18next';
import { amount } from '../../shared/i18n/format.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { CountdownPill } from '../../shared/ui/CountdownPill.tsx';
import { useActionTexts } from './StepTopUp.tsx';
import type { Confirmation } from './useConfirm.ts';
import { WizardBar } from './WizardBar.tsx';

/**
 * Renders the buttons of step 3. The main one submits after a countdown of 1 to 3 s, which the user
 * can cancel. If money is missing, it first pays.
 */
export function ConfirmBar({ confirm, onPrevious }: { confirm: Confirmation; onPrevious: () => void }) {
  const { t } = useTranslation();
  const actionTexts = useActionTexts();
  const { price, payment, delayed, idle, ready, start } = confirm;
  const { total, paysHere, draft, missing } = payment;
  return (
    <WizardBar
      onPrevious={idle ? onPrevious : undefined}
      sum={total === undefined || !price ? undefined : `${amount(total)} ${price.currency}`}
    >
      {delayed.phase === 'counting' ? (
        <CountdownPill
          label={t(paysHere ? 'submit.inPaying' : 'submit.in', { count: Math.ceil(delayed.leftMs / 1000) })}
          undoLabel={t('task.undo')}
          leftMs={delayed.leftMs}
          totalMs={delayed.totalMs}
          onUndo={delayed.undo}
        />
      ) : (
        <Button disabled={!ready} loading={delayed.phase === 'running'} onClick={start}>
          {paysHere && price ? actionTexts(draft, missing, price.currency) : t('submit.button')}
        </Button>
      )}
    </WizardBar>
  );
}
