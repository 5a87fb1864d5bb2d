import { type RefObject, useLayoutEffect } from 'react';

/** Distance between toasts and the elements that they avoid. */
const GAP_PX = 8;
/**
 * Largest width of a phone. On phones toasts appear below the header, on wider windows at the
 * bottom.
 */
const PHONE_PX = 600;
/** Distance of toasts from the bottom bar, as in Toast.module.css. */
const BOTTOM_GAP_PX = 16;
const CONTROLS = 'a, button, input, select, textarea, summary, [role="slider"]';

/** Sizes and positions that decide where toasts appear, in px. */
export interface ToastObstacles {
  width: number;
  /** Height of all toasts together. */
  toasts: number;
  /** Lower edge of the header, 0 or less if it is out of sight. */
  header: number;
  /** Upper edge of the open dialog and lower edge of its header, or null. */
  dialog: { top: number; head: number } | null;
  /** Height of the window. */
  height: number;
  /** Height of the page's bottom bar, or 0. */
  foot: number;
  /** Edges of the focused control, or null. */
  focus: { top: number; bottom: number } | null;
}

/**
 * Returns the distance of the toasts from the top of the window, or null for the default position
 * at the bottom. Over an open dialog they appear above it if they fit, else below its header. They
 * never cover its buttons. If they would cover the focused control, they appear at the other end of
 * the window.
 */
export function toastTop({ width, height, toasts, header, foot, dialog, focus }: ToastObstacles): number | null {
  if (dialog) return dialog.top >= toasts + 2 * GAP_PX ? GAP_PX : dialog.head + GAP_PX;
  const top = Math.max(header, 0) + GAP_PX;
  const bottom = height - foot - BOTTOM_GAP_PX - toasts;
  const covers = (from: number) => focus !== null && focus.top < from + toasts && focus.bottom > from;
  const isPhone = width < PHONE_PX;
  const [usual, other] = isPhone ? [top, bottom] : [bottom, top];
  const isAtTop = covers(usual) && !covers(other) ? !isPhone : isPhone;
  return isAtTop ? top : isPhone ? bottom : null;
}

/** Returns the focused control, unless it is a toast or the whole page. */
function focusedControl(toasts: HTMLElement): ToastObstacles['focus'] {
  const focused = document.activeElement;
  if (!focused || focused === document.body || toasts.contains(focused) || !focused.matches(CONTROLS)) return null;
  const { top, bottom } = focused.getBoundingClientRect();
  return { top, bottom };
}

function measureObstacles(viewport: HTMLElement): ToastObstacles {
  const dialog = [...document.querySelectorAll('[data-dialog]')].at(-1);
  return {
    width: window.innerWidth,
    height: window.innerHeight,
    foot: Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--foot-bar')) || 0,
    focus: focusedControl(viewport),
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
 * Keeps the toasts where they cover no important element, while the page scrolls and dialogs open
 * and close. Does nothing unless `active`.
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
    const events = ['scroll', 'resize', 'transitionend', 'focusin'] as const;
    for (const name of events) window.addEventListener(name, soon, { passive: true });
    return () => {
      changes.disconnect();
      cancelAnimationFrame(frame);
      for (const name of events) window.removeEventListener(name, soon);
    };
  }, [viewport, active]);
}
