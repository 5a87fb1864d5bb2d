import { settleStepUp, stepUpStore } from '../../shared/api/stepUp.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { useStore } from '../../shared/state/useStore.ts';

const StepUpDialog = lazyComponent(() =>
  withTexts(['parts/stepUp', 'shared/forms'], async () => (await import('./StepUpDialog.tsx')).StepUpDialog),
);

/**
 * Waits for a request that needs a proof of identity. The dialog's code loads only then, and
 * without it no proof is possible.
 */
export function StepUpGate() {
  const demand = useStore(stepUpStore);
  return demand && <StepUpDialog demand={demand} onMissing={() => settleStepUp(false)} />;
}
