import { type ReactNode, useEffect } from 'react';
import { reloadWithSession } from '../../shared/api/handOver.ts';
import { sessionStore } from '../../shared/api/identity.ts';
import { nextOf } from '../../shared/routing/origin.ts';
import { useGo } from '../../shared/ui/Link.tsx';

/**
 * Renders its children for guests. Signed-in users are redirected to the requested page, also if
 * they sign in later in another tab.
 */
export function GuestsOnly({ children }: { children: ReactNode }) {
  const go = useGo();
  useEffect(() => {
    const leave = () => {
      if (!sessionStore.get()) return;
      const next = nextOf(window.location.search);
      if (!reloadWithSession(next)) go(next, { replace: true });
    };
    leave();
    const off = sessionStore.subscribe(leave);
    return () => void off();
  }, [go]);
  return children;
}
