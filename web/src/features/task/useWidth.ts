import { type RefObject, startTransition, useEffect, useState } from 'react';

/** Returns the width of an element in px, or 0 before it exists. */
export function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    // Runs after the layout anyway, because drawing the content may take long.
    const observer = new ResizeObserver(([entry]) => {
      if (entry) startTransition(() => setWidth(Math.round(entry.contentRect.width)));
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
