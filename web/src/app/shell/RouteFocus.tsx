import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { VisuallyHidden } from '../../shared/ui/Text.tsx';

/**
 * Focuses the heading of the page; where that is still loading the content, and the heading when it comes. Calls `arrived` each time.
 * Returns how to wait no longer.
 */
function focusHeading(arrived: () => void): () => void {
  const main = document.getElementById('main');
  const waiting = new MutationObserver(() => document.activeElement === main && focus());
  const focus = () => {
    const heading = main?.querySelector<HTMLElement>('h1');
    if (heading) {
      heading.tabIndex = -1;
      waiting.disconnect();
    }
    (heading ?? main)?.focus({ preventScroll: true });
    arrived();
    return heading;
  };
  if (!focus() && main) waiting.observe(main, { childList: true, subtree: true });
  return () => waiting.disconnect();
}

/**
 * After a change of page, or of a step within one: moves the focus to the new heading and announces the page's title. The browser
 * does both for a document; within the app the focus would stay on a button that is gone.
 */
export function RouteFocus() {
  const { pathname, search } = useLocation();
  const place = `${pathname} ${new URLSearchParams(search).get('step') ?? ''}`;
  const shown = useRef(place);
  const [title, setTitle] = useState('');
  // Rendered after the page: its title is set, and what it focuses itself has the focus.
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    return focusHeading(() => setTitle(document.title));
  }, [place]);
  return (
    <div aria-live="polite" aria-atomic="true">
      <VisuallyHidden>{title}</VisuallyHidden>
    </div>
  );
}
