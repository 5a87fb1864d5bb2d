import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import popup from './popup.module.css';
import styles from './Tooltip.module.css';

interface Props {
  text: ReactNode;
  side?: 'top' | 'bottom' | 'left' | 'right';
  /** One element that takes the focus, usually an `IconButton` whose label says the same. */
  children: ReactElement;
}

/** A word beside a control that is pointed at or focused. It never carries what is said nowhere else: fingers do not see it. */
export function Tooltip({ text, side = 'top', children }: Props) {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className={popup.positioner}>
          <Base.Popup className={styles.popup}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

interface AtProps {
  /** What it is about; it stands above it. */
  anchor: Element;
  /** Escape was pressed. */
  onClose: () => void;
  children: ReactNode;
}

/** A tooltip that is open beside one of many elements, as a chart or a calendar has them. What it says is also the element's name. */
export function TooltipAt({ anchor, onClose, children }: AtProps) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          anchor={anchor}
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
