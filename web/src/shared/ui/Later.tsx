import { type ReactNode, startTransition, useEffect, useState } from 'react';
import styles from './Later.module.css';
import { enqueueRender } from './renderQueue.ts';

/** Navigation that opened the document. */
const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
let rendered = false;

/**
 * Returns whether the page is being opened at its top. A reloaded or revisited page needs its full
 * height at once, to be scrolled.
 */
function opensAtTop(): boolean {
  return !rendered && navigation?.type === 'navigate' && window.location.hash === '';
}

interface Props {
  /** It is on the first screen after all. */
  isFirst?: boolean;
  children: ReactNode;
}

/**
 * Renders the part below the first screen of a page. While the document opens, such parts render
 * after the rest, one after another. Otherwise they would delay the content above, because the
 * layout of a whole page's texts takes longest.
 */
export function Later({ isFirst, children }: Props) {
  const [now, setNow] = useState(() => isFirst || !opensAtTop());
  useEffect(() => {
    rendered = true;
    // The turn ends with this effect, after the render or the unmount.
    return now ? undefined : enqueueRender(() => startTransition(() => setNow(true)));
  }, [now]);
  return now ? children : <div aria-hidden="true" className={styles.place} />;
}
