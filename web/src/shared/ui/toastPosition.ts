import { type RefObject, useLayoutEffect } from 'react';

/** Distance between toasts and the elements that they avoid. */
const GAP_PX = 8;
/** A phone's width. There toasts appear below the header, elsewhere above the bottom. */
const PHONE_PX = 600;

/** Elements that toasts avoid, in px of the window. */
export interface ToastObstacles {
  width: number;
  /** Height of all toasts together. */
  toasts: number;
  /** Lower edge of the header, at most 0 if it is out of sight. */
  header: number;
  /** Upper edge of an open dialog and lower edge of its header, if one is open. */
  dialog: { top: number; head: number } | null;
}

/**
 * Computes the toasts' distance from the top of the window. Null leaves them above the bottom. They
 * are above an open dialog if they fit, otherwise below its header: never over its cross or its
 * buttons.
 */
export function toastTop({ width, toasts, header, dialog }: ToastObstacles): number | null {
  if (dialog) return dialog.top >= toasts + 2 * GAP_PX ? GAP_PX : dialog.head + GAP_PX;
  return width < PHONE_PX ? Math.max(header, 0) + GAP_PX : null;
}

function measureObstacles(viewport: HTMLElement): ToastObstacles {
  const dialog = [...document.querySelectorAll('[data-dialog]')].at(-1);
  return {
    width: window.innerWidth,
    toasts: viewport.offsetHeight,
    header: document.querySelector('header')?.getBoundingClientRect().bottom ?? 0,
    dialog: dialog
      ? {
          top: dialog.getBoundingClientRect().top,
          head: (dialog.firstElementChild ?? dialog).getBoundingClientRect().bottom,
        }
      : null,
  };
}

/**
 * Positions the toasts where they cover no needed element, while the page scrolls and dialogs open
 * and close. It works only while there `are` any.
 */
export function useToastPosition(viewport: RefObject<HTMLElement | null>, active: boolean): void {
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!active || !element) return;
    let frame = 0;
    const place = () => {
      frame = 0;
      const top = toastTop(measureObstacles(element));
      element.style.top = top === null ? '' : `calc(${top}px + env(safe-area-inset-top, 0px))`;
      element.style.bottom = top === null ? '' : 'auto';
    };
    const soon = () => {
      frame ||= requestAnimationFrame(place);
    };
    place();
    const changes = new MutationObserver(soon);
    changes.observe(document.body, { childList: true, subtree: true });
    const events = ['scroll', 'resize', 'transitionend'] as const;
    for (const name of events) window.addEventListener(name, soon, { passive: true });
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame);
      for (const name of events) window.removeEventListener(name, soon);
    };
  }, [viewport, active]);
}
