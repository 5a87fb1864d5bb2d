import { type RefObject, useLayoutEffect } from 'react';

/** Distance between toasts and what they keep clear of. */
const GAP_PX = 8;
/** A phone's width: there toasts come below the header, elsewhere above the foot. */
const PHONE_PX = 600;

/** What toasts keep clear of, in px of the window. */
export interface Surroundings {
  width: number;
  /** Height of all toasts together. */
  toasts: number;
  /** Lower edge of the header; at most 0 where it is out of sight. */
  header: number;
  /** Upper edge of the open dialog and lower edge of its head, where one is open. */
  dialog: { top: number; head: number } | null;
}

/**
 * Computes how far from the top of the window toasts begin; null leaves them above the foot. Above an open dialog where there is room,
 * otherwise below its head: never over its cross or its buttons.
 */
export function toastTop({ width, toasts, header, dialog }: Surroundings): number | null {
  if (dialog) return dialog.top >= toasts + 2 * GAP_PX ? GAP_PX : dialog.head + GAP_PX;
  return width < PHONE_PX ? Math.max(header, 0) + GAP_PX : null;
}

function measured(viewport: HTMLElement): Surroundings {
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

/** Keeps the toasts where they cover nothing that is needed, while the page scrolls and dialogs come and go; only while there `are` any. */
export function useToastPlace(viewport: RefObject<HTMLElement | null>, are: boolean): void {
  useLayoutEffect(() => {
    const element = viewport.current;
    if (!are || !element) return;
    let frame = 0;
    const place = () => {
      frame = 0;
      const top = toastTop(measured(element));
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
  }, [viewport, are]);
}
