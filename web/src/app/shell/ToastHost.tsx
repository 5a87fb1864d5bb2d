import { useSyncExternalStore } from 'react';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';
import { toastsWanted } from '../../shared/ui/toasts.ts';

// Nobody pressed anything to see a toast: for one that is lost the page is not begun again.
const Toasts = lazyComponent(async () => (await import('./Toasts.tsx')).Toasts, reloadForNewBuild);
const never = () => false;

/** Where toasts appear, once there is one. */
export function ToastHost() {
  const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, never);
  return wanted && <Toasts onMissing={toastsWanted.missed} />;
}
