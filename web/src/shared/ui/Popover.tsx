import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';
import popup from './popup.module.css';

interface Props {
  /** The button that opens it; without one, say `anchor` and control `open`. */
  trigger?: ReactElement;
  anchor?: RefObject<Element | null>;
  /** What the popover is, for those who do not see where it comes from. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  /** Opens to a resting pointer as well. */
  hover?: boolean;
  /** Without its padding, for content that brings its own. */
  bare?: boolean;
  /** Focus goes here when it opens, by default to the first thing in it; `false` where the content takes it by itself. */
  initialFocus?: RefObject<HTMLElement | null> | false;
  children: ReactNode;
}

/** A small panel beside the button that opens it. Focus goes in, Escape and a press outside close it. */
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
