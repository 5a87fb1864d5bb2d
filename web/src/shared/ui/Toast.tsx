import { Toast as Base } from '@base-ui/react/toast';
import { CircleCheck, CircleX, type LucideIcon, TriangleAlert, X } from 'lucide-react';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { classes } from './classes.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Toast.module.css';
import { toastManager } from './toastManager.ts';
import { useToastPosition } from './toastPosition.ts';
import { type ToastAction, toastsMounted } from './toasts.ts';
import { useUiTexts } from './UiTexts.tsx';

const icons: Record<string, LucideIcon> = { success: CircleCheck, warning: TriangleAlert, error: CircleX };

/**
 * Renders the toasts of the page. Mount it once. F6 moves the focus to the toasts. `toast` of
 * toasts.ts shows a toast.
 */
export function Toaster() {
  const texts = useUiTexts();
  const viewport = useRef<HTMLDivElement>(null);
  const [turn, setTurn] = useState(0);
  useEffect(toastsMounted, []);
  return (
    // Base UI never forgets the element that had the focus before F6. Later toasts would send the
    // focus there when the user tabs past them. So each series of toasts has its own provider.
    <Base.Provider key={turn} toastManager={toastManager} limit={3}>
      <Base.Portal>
        <Base.Viewport ref={viewport} data-toasts="" className={styles.viewport} aria-label={texts.notifications}>
          <Toasts viewport={viewport} onEnd={() => setTurn((last) => last + 1)} />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

interface ToastsProps {
  viewport: RefObject<HTMLDivElement | null>;
  /** Called when the last toast is gone. */
  onEnd: () => void;
}

function Toasts({ viewport, onEnd }: ToastsProps) {
  const texts = useUiTexts();
  const { toasts, close } = Base.useToastManager<{ actions?: ToastAction[] }>();
  const shown = toasts.length > 0;
  const end = useEffectEvent(onEnd);
  useEffect(() => (shown ? () => end() : undefined), [shown]);
  useToastPosition(viewport, shown);
  return toasts.map((one) => {
    const icon = icons[one.type ?? ''];
    const { actions = [] } = one.data ?? {};
    return (
      <Base.Root
        key={one.id}
        toast={one}
        swipeDirection={['down', 'up', 'right']}
        className={classes(styles.toast, one.type === 'error' && styles.error)}
      >
        <Base.Content className={styles.content}>
          {icon && <Icon of={icon} />}
          <div className={styles.text}>
            <Base.Title render={<p />} className={styles.title} />
            {actions.length > 0 && (
              <div className={styles.actions}>
                {actions.map(({ label, onClick }) => (
                  <button
                    key={label}
                    type="button"
                    className={styles.action}
                    onClick={() => {
                      onClick();
                      close(one.id);
                    }}
                  >
                    {label}
                  </button>
                ))}
              </div>
            )}
          </div>
          {one.actionProps && <Base.Action className={styles.action} />}
          {/* Base UI hides the button from screen readers until the toast has the focus, but
              leaves it focusable. */}
          <Base.Close
            aria-hidden={false}
            render={
              <IconButton label={texts.close} className={styles.close}>
                <Icon of={X} size={16} />
              </IconButton>
            }
          />
        </Base.Content>
      </Base.Root>
    );
  });
}
