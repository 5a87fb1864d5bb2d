import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
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
