import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import type { FormEvent, ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';
import styles from './Dialog.module.css';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import { useUiTexts } from './UiTexts.tsx';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons at the bottom, the most important one last. */
  actions?: ReactNode;
  /** 440, 600 or 900 px wide. */
  size?: 'small' | 'medium' | 'large';
  /** Without padding: the content scrolls by itself and has its own buttons. */
  bare?: boolean;
  /** Fills the screen of a phone. */
  fullOnPhone?: boolean;
  /** During an operation neither Escape nor an outside press closes it, and there is no cross. */
  locked?: boolean;
  /** Element that gets the focus when it opens, by default the first one. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** Makes the dialog one form, with its actions inside. */
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

/** Renders a window above the page. The focus stays inside and returns to its origin. */
export function Dialog(props: DialogProps) {
  const { open, onClose, title, size = 'small', fullOnPhone, locked = false, initialFocus } = props;
  const texts = useUiTexts();
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !locked && onClose()} disablePointerDismissal={locked}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Viewport className={styles.viewport}>
          <Base.Popup
            data-dialog=""
            initialFocus={initialFocus}
            className={classes(styles.popup, styles[size], fullOnPhone && styles.full)}
          >
            <div className={styles.head}>
              <Base.Title className={styles.title}>{title}</Base.Title>
            </div>
            <Body {...props} />
            {/* Last for the keyboard, so that the focus starts on the dialog's content. */}
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
