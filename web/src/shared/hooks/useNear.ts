import { type RefObject, useEffect, useState } from 'react';

/** So far outside the window something is already near. */
const NEAR = '400px';

/** Whether an element is, or has been, near the part of the page that is seen: what costs much is loaded then. */
export function useNear(element: RefObject<Element | null>): boolean {
  const [near, setNear] = useState(() => typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    const box = element.current;
    if (near || !box) return;
    const observer = new IntersectionObserver((seen) => seen.some((entry) => entry.isIntersecting) && setNear(true), {
      rootMargin: NEAR,
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, near]);
  return near;
}
