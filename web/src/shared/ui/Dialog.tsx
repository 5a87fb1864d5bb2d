import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { FormEvent, ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';
import styles from './Dialog.module.css';
import { useCovered } from './dialogStack.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { useUiTexts } from './UiTexts.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons at the bottom. The most important one is last. */
  actions?: ReactNode;
  /** Width of 440, 600 or 900 px. */
  size?: 'small' | 'medium' | 'large';
  /** Removes the padding, for content that scrolls by itself and has its own buttons. */
  bare?: boolean;
  /** Makes the dialog fill the screen on phones. */
  fullOnPhone?: boolean;
  /** Places the dialog at the bottom of the screen on phones. */
  sheet?: boolean;
  /**
   * Prevents closing while an operation runs: no cross, and Escape and outside presses have no
   * effect.
   */
  locked?: boolean;
  /** Element that gets the focus when the dialog opens, by default the first focusable one. */
  initialFocus?: RefObject<HTMLElement | null> | (() => HTMLElement | null);
  /** Makes the dialog a form, which includes the buttons of `actions`. */
  onSubmit?: (event: FormEvent<HTMLFormElement>) => void;
}

function Body({ children, actions, bare, onSubmit }: Pick<DialogProps, 'children' | 'actions' | 'bare' | 'onSubmit'>) {
  const inside = (
    <>
      <div className={bare ? styles.bare : styles.body}>{children}</div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </>
  );
  if (!onSubmit) return inside;
  return (
    <form method="post" noValidate onSubmit={onSubmit} className={styles.form}>
      {inside}
    </form>
  );
}

/**
 * Renders a modal dialog. The focus stays inside, and returns to the previous element on closing. A
 * dialog that opens later takes its place until that one closes.
 */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, size = 'small', fullOnPhone, sheet, locked = false, initialFocus } = props;
  const texts = useUiTexts();
  const covered = useCovered(open);
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !locked && onClose()} disablePointerDismissal={locked}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={classes(styles.viewport, covered && styles.covered)}>
          <Base.Popup
            data-dialog=""
            initialFocus={initialFocus}
            className={classes(styles.popup, styles[size], fullOnPhone && styles.full, sheet && styles.sheet)}
          >
            <div className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
            </div>
            <Body {...props} />
            {/* The cross is last in tab order, so that the focus starts on the content. */}
            {!locked && (
              <Base.Close
                render={
                  <IconButton label={texts.close} className={styles.close}>
                    <Icon of={X} />
                  </IconButton>
                }
              />
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}
