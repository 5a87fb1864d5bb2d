import { useEffect, useEffectEvent, useRef } from 'react';
import { preloadPage } from '../../shared/browser/preloadPage.ts';

/** Asks for the files of the page at `path`, once it is likely that one goes there: something is typed here, or `likely`. */
export function usePreloaded(path: () => string, likely: boolean): void {
  const asked = useRef(false);
  const ask = useEffectEvent(() => {
    if (!asked.current) preloadPage(path()).catch(() => undefined);
    asked.current = true;
  });
  useEffect(() => {
    if (likely) ask();
    const onInput = () => ask();
    document.addEventListener('input', onInput, { once: true });
    return () => document.removeEventListener('input', onInput);
  }, [likely]);
}
