import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';
import popup from './popup.module.css';

interface Props {
  /** The button that opens it. Without one, set `anchor` and control `open`. */
  trigger?: ReactElement;
  anchor?: RefObject<Element | null>;
  /** Name of the popover for screen readers. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  /** Also opens when a pointer hovers. */
  hover?: boolean;
  /** Without padding, for content that has its own. */
  bare?: boolean;
  /**
   * Element that gets the focus when it opens, by default the first one. `false` if the content
   * takes it by itself.
   */
  initialFocus?: RefObject<HTMLElement | null> | false;
  children: ReactNode;
}

/**
 * Renders a small panel beside the button that opens it. The focus moves in. Escape and an outside
 * press close it.
 */
export function Popover({
  trigger,
  anchor,
  label,
  open,
  onOpenChange,
  side,
  align = 'start',
  hover,
  bare,
  initialFocus,
  children,
}: Props) {
  return (
    <Base.Root open={open} onOpenChange={onOpenChange && ((next) => onOpenChange(next))}>
      {trigger && <Base.Trigger render={trigger} openOnHover={hover} />}
      <Base.Portal>
        <Base.Positioner
          side={side}
          align={align}
          sideOffset={6}
          anchor={anchor}
          collisionPadding={8}
          className={popup.positioner}
        >
          <Base.Popup aria-label={label} initialFocus={initialFocus} className={classes(popup.popup, !bare && popup.panel)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
