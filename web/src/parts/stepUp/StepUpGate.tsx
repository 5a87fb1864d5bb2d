import { useSyncExternalStore } from 'react';
import { answerStepUp, stepUpStore } from '../../shared/api/stepUp.ts';
import { late } from '../../shared/pwa/late.tsx';

const StepUpDialog = late(async () => (await import('./StepUpDialog.tsx')).StepUpDialog);

/** Waits for a call that needs a proof of who it is; the dialog's code comes only then, and without it nothing is proved. */
export function StepUpGate() {
  const demand = useSyncExternalStore(stepUpStore.subscribe, stepUpStore.get);
  return demand && <StepUpDialog demand={demand} onMissing={() => answerStepUp(false)} />;
}
