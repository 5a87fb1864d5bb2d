import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';
import popup from './popup.module.css';

interface Props {
  /** Button that opens the popover. Without it, set `anchor` and control `open`. */
  trigger?: ReactElement;
  anchor?: RefObject<Element | null>;
  /** Accessible name of the popover. */
  label: string;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  side?: 'top' | 'bottom' | 'left' | 'right';
  align?: 'start' | 'center' | 'end';
  /** Also opens the popover when the pointer hovers over the button. */
  hover?: boolean;
  /** Removes the padding, for content that has its own. */
  bare?: boolean;
  /**
   * Element that gets the focus on opening, by default the first focusable one. `false` if the
   * content sets the focus itself.
   */
  initialFocus?: RefObject<HTMLElement | null> | false;
  children: ReactNode;
}

/**
 * Renders a small panel beside the button that opens it. The focus moves into the panel. Escape and
 * outside presses close it.
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
