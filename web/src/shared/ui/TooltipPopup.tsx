import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import popup from './popup.module.css';
import styles from './Tooltip.module.css';

interface Props {
  /** Element that the tooltip describes. */
  anchor: Element;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** Called when the user presses Escape. */
  onClose: () => void;
  children: ReactNode;
}

/** Renders the content of `TooltipAt`. */
export function TooltipPopup({ anchor, side, onClose, children }: Props) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
          side={side}
          sideOffset={8}
          collisionPadding={8}
          className={classes(popup.positioner, styles.passive)}
        >
          <Base.Popup role="tooltip" className={styles.popup}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
