import { useSyncExternalStore } from 'react';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';
import { toastsWanted } from '../../shared/ui/toasts.ts';

// If the code fails to load, the page is not restarted, because the user pressed nothing.
const Toasts = lazyComponent(async () => (await import('./Toasts.tsx')).Toasts, reloadForNewBuild);
const never = () => false;

/** Renders the toasts after the first one was requested. */
export function ToastHost() {
  const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, never);
  return wanted && <Toasts onMissing={toastsWanted.missed} />;
}
