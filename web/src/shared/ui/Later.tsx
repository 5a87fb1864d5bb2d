import { type ReactNode, startTransition, useEffect, useState } from 'react';
import styles from './Later.module.css';
import { enqueueRender } from './renderQueue.ts';

/** Kind of navigation that opened the document. */
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
let rendered = false;

/**
 * Returns whether the page is opening at its top. A reloaded page or a page from the history needs
 * its full height at once, because the browser restores its scroll position.
 */
function opensAtTop(): boolean {
  return !rendered && navigation?.type === 'navigate' && window.location.hash === '';
}

interface Props {
  /** Renders the children at once, because they are on the first screen. */
  isFirst?: boolean;
  children: ReactNode;
}

/**
 * Renders content below the first screen of a page. While the document opens, such content renders
 * later, one `Later` after another. Otherwise the layout of the long page would delay the first
 * screen.
 */
export function Later({ isFirst, children }: Props) {
  const [now, setNow] = useState(() => isFirst || !opensAtTop());
  useEffect(() => {
    rendered = true;
    // The cleanup of this effect ends its turn in the queue.
    return now ? undefined : enqueueRender(() => startTransition(() => setNow(true)));
  }, [now]);
  return now ? children : <div aria-hidden="true" className={styles.place} />;
}
