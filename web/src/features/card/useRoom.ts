import { type RefObject, useEffect, useRef } from 'react';
import { postToParent } from './parent.ts';

/** Approximate height of the bank's authentication page. */
const QUESTION_PX = 560;

/**
 * Requests a height of the frame that fits its content. While the bank's authentication page is
 * open, the frame is high enough for it.
 */
export function useRoom(): { content: RefObject<HTMLDivElement | null>; setAsking: (on: boolean) => void } {
  const content = useRef<HTMLDivElement>(null);
  const paying = useRef(false);
  const measure = useRef<() => void>(() => {});
  useEffect(() => {
    const node = content.current;
    if (!node) return;
    measure.current = () => {
      // During a payment, an element that covers the page is the bank's page. The library adds it
      // beside our root element.
      const covers = [...document.body.children].some((child) => child instanceof HTMLElement && isCover(child));
      const own = Math.ceil(node.getBoundingClientRect().height);
      postToParent({ type: 'resize', height: paying.current && covers ? Math.max(own, QUESTION_PX) : own });
    };
    const resized = new ResizeObserver(() => measure.current());
    const added = new MutationObserver(() => measure.current());
    resized.observe(node);
    added.observe(document.body, { childList: true, subtree: false, attributes: true, attributeFilter: ['style'] });
    return () => {
      resized.disconnect();
      added.disconnect();
    };
  }, []);
  const setAsking = (on: boolean) => {
    paying.current = on;
    measure.current();
  };
  return { content, setAsking };
}

function isCover(element: HTMLElement): boolean {
  if (element.id === 'root') return false;
  const style = getComputedStyle(element);
  return style.position === 'fixed' && style.visibility !== 'hidden' && style.display !== 'none' && element.clientWidth > 100;
}
