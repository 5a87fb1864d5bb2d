import { useRender } from '@base-ui/react/use-render';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '../pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../pwa/newBuild.ts';

/**
 * Renders an open tooltip beside an element of a chart or a calendar. Its text is also the
 * element's accessible name. The code loads with the first tooltip. If that fails, the page is not
 * restarted, because the user pressed nothing.
 */
export const TooltipAt = lazyComponent(async () => (await import('./TooltipPopup.tsx')).TooltipPopup, reloadForNewBuild);

/** Time for which the pointer must hover before the tooltip appears. */
const REST_MS = 500;

interface Props {
  text: ReactNode;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** A single focusable element, usually an `IconButton` with the same label. */
  children: ReactElement;
}

/**
 * Renders a tooltip beside a hovered or focused control. The code loads with the first tooltip. The
 * page must show the same information elsewhere, because touch users see no tooltips.
 */
export function Tooltip({ text, side = 'top', children }: Props) {
  const place = useRef<HTMLElement>(null);
  const timer = useRef<number>(undefined);
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const hide = () => {
    window.clearTimeout(timer.current);
    setAnchor(null);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  const control = useRender({
    render: children,
    ref: place,
    props: {
      onPointerEnter: (event: React.PointerEvent) => {
        if (event.pointerType === 'touch') return;
        window.clearTimeout(timer.current);
        timer.current = window.setTimeout(() => setAnchor(place.current), REST_MS);
      },
      onPointerLeave: hide,
      onPointerDown: hide,
      onFocus: () => place.current?.matches(':focus-visible') && setAnchor(place.current),
      onBlur: hide,
    },
  });
  return (
    <>
      {control}
      {anchor && (
        <TooltipAt anchor={anchor} side={side} onClose={hide}>
          {text}
        </TooltipAt>
      )}
    </>
  );
}
