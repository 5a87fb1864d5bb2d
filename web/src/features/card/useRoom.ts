import { type RefObject, useEffect, useRef } from 'react';
import { tellParent } from './parent.ts';

/** The bank's question is a page of its own and needs about so much room. */
const QUESTION_PX = 560;

/** Keeps the frame as high as what is in it; while the bank asks its customer, high enough for the question. */
export function useRoom(): { content: RefObject<HTMLDivElement | null>; asking: (on: boolean) => void } {
  const content = useRef<HTMLDivElement>(null);
  const paying = useRef(false);
  const measure = useRef<() => void>(() => {});
  useEffect(() => {
    const node = content.current;
    if (!node) return;
    measure.current = () => {
      // Whatever covers the page while a payment is being made is the question: the library puts it beside our own root.
      const covers = [...document.body.children].some((child) => child instanceof HTMLElement && isCover(child));
      const own = Math.ceil(node.getBoundingClientRect().height);
      tellParent({ type: 'resize', height: paying.current && covers ? Math.max(own, QUESTION_PX) : own });
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
  const asking = (on: boolean) => {
    paying.current = on;
    measure.current();
  };
  return { content, asking };
}

function isCover(element: HTMLElement): boolean {
  if (element.id === 'root') return false;
  const style = getComputedStyle(element);
  return style.position === 'fixed' && style.visibility !== 'hidden' && style.display !== 'none' && element.clientWidth > 100;
}
