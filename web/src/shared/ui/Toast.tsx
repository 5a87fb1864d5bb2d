import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './Icon.tsx';
import { IconButton } from './IconButton.tsx';
import styles from './Toast.module.css';
import { useUiWords } from './UiWords.tsx';

const manager = Base.createToastManager();

interface Options {
  /** Milliseconds; 0 stays until it is closed. */
  timeout?: number;
  /** A button in the toast, such as *Undo*. */
  action?: { label: string; onClick: () => void };
  /** The same id replaces the toast that is shown. */
  id?: string;
}

function show(type: 'success' | 'error' | 'info', text: ReactNode, { timeout = 5_000, action, id }: Options = {}): string {
  return manager.add({
    id,
    type,
    title: text,
    timeout,
    priority: type === 'error' ? 'high' : 'low',
    actionProps: action && { children: action.label, onClick: action.onClick },
  });
}

/** Says something in a toast, from anywhere; `Toaster` must be on the page. Each returns the toast's id. */
export const toast = {
  success: (text: ReactNode, options?: Options) => show('success', text, options),
  error: (text: ReactNode, options?: Options) => show('error', text, options),
  info: (text: ReactNode, options?: Options) => show('info', text, options),
  close: (id: string) => manager.close(id),
};

/** Where toasts appear; once per page. F6 moves the focus to them. */
export function Toaster() {
  const words = useUiWords();
  return (
    <Base.Provider toastManager={manager} limit={3}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport} aria-label={words.notifications}>
          <Toasts />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

function Toasts() {
  const words = useUiWords();
  const { toasts } = Base.useToastManager();
  return toasts.map((one) => (
    <Base.Root
      key={one.id}
      toast={one}
      swipeDirection={['down', 'right']}
      className={classes(styles.toast, one.type === 'error' && styles.error)}
    >
      <Base.Content className={styles.content}>
        <Base.Title render={<p />} className={styles.text} />
        {one.actionProps && <Base.Action className={styles.action} />}
        <Base.Close
          render={
            <IconButton label={words.close} className={styles.close}>
              <Icon of={X} size={16} />
            </IconButton>
          }
        />
      </Base.Content>
    </Base.Root>
  ));
}
