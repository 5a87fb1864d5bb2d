import { lazy, Suspense, useSyncExternalStore } from 'react';
import { stepUpStore } from '../../shared/api/stepUp.ts';

const StepUpDialog = lazy(async () => ({ default: (await import('./StepUpDialog.tsx')).StepUpDialog }));

/** Waits for a call that needs a proof of who it is; the dialog's code comes only then. */
export function StepUpGate() {
  const demand = useSyncExternalStore(stepUpStore.subscribe, stepUpStore.get);
  if (!demand) return null;
  return (
    <Suspense fallback={null}>
      <StepUpDialog demand={demand} />
    </Suspense>
  );
}
