import { useEffect, useEffectEvent, useRef } from 'react';
import { preloadPage } from '../../shared/browser/preloadPage.ts';

/**
 * Preloads the page at `path` when the user will probably open it: when the user types, or when
 * `likely` is true.
 */
export function usePreloaded(path: () => string, likely: boolean): void {
  const asked = useRef(false);
  const request = useEffectEvent(() => {
    if (!asked.current) preloadPage(path()).catch(() => undefined);
    asked.current = true;
  });
  useEffect(() => {
    if (likely) request();
    const onInput = () => request();
    document.addEventListener('input', onInput, { once: true });
    return () => document.removeEventListener('input', onInput);
  }, [likely]);
}
