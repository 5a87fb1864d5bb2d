import { useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { VisuallyHidden } from '../../shared/ui/Text.tsx';

/** Delay after which a page is announced even if its title has not changed. */
const TITLE_MS = 1_000;

/**
 * Focuses the element with the id in the address, else the heading of the page. While the page
 * loads, it focuses the content, and later the target. Returns a function that cancels the wait.
 */
function focusPage(id: string): () => void {
  const main = document.getElementById('main');
  let focused: HTMLElement | null = null;
  const focus = () => {
    const target = id ? document.getElementById(id) : null;
    const heading = main?.querySelector<HTMLElement>('h1') ?? null;
    const next = target ?? heading ?? main;
    if (next && next !== focused) {
      if (next !== main && next.tabIndex < 0) next.tabIndex = -1;
      next.focus({ preventScroll: true });
      focused = next;
    }
    return id ? target : heading;
  };
  const waiting = new MutationObserver(() => {
    if (document.activeElement !== focused || focus()) waiting.disconnect();
  });
  if (!focus() && main) waiting.observe(main, { childList: true, subtree: true });
  return () => waiting.disconnect();
}

/**
 * Calls `announce` once the title of the document differs from `before`. Returns a function that
 * cancels the wait.
 */
function onNewTitle(before: string, announce: () => void): () => void {
  const titles = new MutationObserver(() => document.title !== before && end());
  const timer = setTimeout(() => end(), TITLE_MS);
  const stop = () => {
    titles.disconnect();
    clearTimeout(timer);
  };
  const end = () => {
    stop();
    announce();
  };
  if (document.title !== before) end();
  else titles.observe(document.head, { childList: true, characterData: true, subtree: true });
  return stop;
}

/**
 * Moves the focus after a change of page or step, and announces the page's title. Browsers do both
 * for a new document, but not within the app, where the focus would stay on a removed element.
 */
export function RouteFocus() {
  const { pathname, search, hash } = useLocation();
  const place = `${pathname} ${new URLSearchParams(search).get('step') ?? ''}`;
  const shown = useRef(place);
  const [title, setTitle] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: read before the page sets its title
  const before = useMemo(() => document.title, [place]);
  // After the page in the tree, so that an element that the page itself focuses keeps the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the browser handles other fragments
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    const ends = [focusPage(hash.slice(1)), onNewTitle(before, () => setTitle(document.title))];
    return () => {
      for (const end of ends) end();
    };
  }, [place]);
  return (
    <div aria-live="polite" aria-atomic="true">
      <VisuallyHidden>{title}</VisuallyHidden>
    </div>
  );
}
