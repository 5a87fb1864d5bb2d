import { type RefObject, startTransition, useEffect, useState } from 'react';

/** How wide an element is, in px; 0 before it is there. */
export function useWidth(element: RefObject<Element | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const box = element.current;
    if (!box) return;
    // Told once the page is laid out anyway; what is drawn of it may be much.
    const observer = new ResizeObserver(([entry]) => {
      if (entry) startTransition(() => setWidth(Math.round(entry.contentRect.width)));
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
