import { type ReactNode, startTransition, useEffect, useState } from 'react';
import styles from './Later.module.css';
import { takeTurn } from './turns.ts';

/** How the document was opened. */
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
let drawn = false;

/** Whether the page is being opened at its top. One that is reloaded or gone back to is as tall as before at once, to be scrolled down. */
function opensAtTop(): boolean {
  return !drawn && navigation?.type === 'navigate' && window.location.hash === '';
}

interface Props {
  /** It is on the first screen after all. */
  isFirst?: boolean;
  children: ReactNode;
}

/**
 * What lies below the first screen of a page: while the document opens it is drawn after the rest, a little at a time, and one after
 * another. It would keep what is above it waiting, for texts of a whole page take longer to lay out than all else.
 */
export function Later({ isFirst, children }: Props) {
  const [now, setNow] = useState(() => isFirst || !opensAtTop());
  useEffect(() => {
    drawn = true;
    // The turn is over with this effect: once it is drawn, or gone.
    return now ? undefined : takeTurn(() => startTransition(() => setNow(true)));
  }, [now]);
  return now ? children : <div aria-hidden="true" className={styles.place} />;
}
