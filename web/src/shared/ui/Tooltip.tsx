import { useRender } from '@base-ui/react/use-render';
import { type ReactElement, type ReactNode, useEffect, useRef, useState } from 'react';
import { lazyComponent } from '../pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../pwa/newBuild.ts';

/**
 * A tooltip that is open beside one of many elements, as a chart or a calendar has them. What it says is also the element's name.
 * Its code comes with the first; nobody pressed anything to see it: for one that is lost the page is not begun again.
 */
export const TooltipAt = lazyComponent(async () => (await import('./TooltipPopup.tsx')).TooltipPopup, reloadForNewBuild);

/** How long a pointer rests before the word is shown. */
const REST_MS = 500;

interface Props {
  text: ReactNode;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** One element that takes the focus, usually an `IconButton` whose label says the same. */
  children: ReactElement;
}

/**
 * A word beside a control that is pointed at or focused, by code that comes when the first is. It never carries what is said nowhere
 * else: fingers do not see it.
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
