import { type RefObject, startTransition, useEffect, useState } from 'react';

/** Returns the width of an element in px, or 0 before it is mounted. */
export function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    // A transition, because rendering the content at the new width may take long.
    const observer = new ResizeObserver(([entry]) => {
      if (entry) startTransition(() => setWidth(Math.round(entry.contentRect.width)));
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
