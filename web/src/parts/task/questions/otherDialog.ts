import { useEffect, useState } from 'react';

/** Dialogs and popups. A toast has the same role, but does not block the page. */
const BLOCKING = ':is([role="dialog"], [role="alertdialog"]):not([data-toasts] *)';

/**
 * Returns whether the page is free of dialogs. It observes the page only while `waiting`, because
 * that costs time on every change of the page.
 */
export function usePageIsFree(waiting: boolean): boolean {
  const [free, setFree] = useState(false);
  useEffect(() => {
    if (!waiting) return;
    const look = () => setFree(document.querySelector(BLOCKING) === null);
    const changes = new MutationObserver(look);
    changes.observe(document.body, { childList: true, subtree: true });
    look();
    return () => {
      changes.disconnect();
      setFree(false);
    };
  }, [waiting]);
  return free;
}
