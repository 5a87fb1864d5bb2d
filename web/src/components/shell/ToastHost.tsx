import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toastsWanted } from '../../lib/toasts.ts';

const Toasts = lazy(async () => ({ default: (await import('./Toasts.tsx')).Toasts }));
const never = () => false;

/** Where toasts appear, once there is one. */
export function ToastHost() {
  const wanted = useSyncExternalStore(toastsWanted.subscribe, toastsWanted.get, never);
  if (!wanted) return null;
  return (
    <Suspense fallback={null}>
      <Toasts />
    </Suspense>
  );
}
