import { useSyncExternalStore } from 'react';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';
import { toastsWanted } from '../../shared/ui/toasts.ts';

// A toast needs no press. If its code fails to load, the page is not restarted.
const Toasts = lazyComponent(async () => (await import('./Toasts.tsx')).Toasts, reloadForNewBuild);
const never = () => false;

/** Hosts the toasts once the first one appears. */
export function ToastHost() {
  const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, never);
  return wanted && <Toasts onMissing={toastsWanted.missed} />;
}
