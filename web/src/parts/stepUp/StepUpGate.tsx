import { settleStepUp, stepUpStore } from '../../shared/api/stepUp.ts';
import { withTexts } from '../../shared/i18n/translations.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { useStore } from '../../shared/state/useStore.ts';

const StepUpDialog = lazyComponent(() =>
  withTexts(['parts/stepUp', 'shared/forms'], async () => (await import('./StepUpDialog.tsx')).StepUpDialog),
);

/**
 * Renders the prompt when a request needs a proof of identity. The code of the prompt loads only
 * then. If it does not load, the request fails.
 */
export function StepUpGate() {
  const demand = useStore(stepUpStore);
  return demand && <StepUpDialog demand={demand} onMissing={() => settleStepUp(false)} />;
}
