type Kind = 'message' | 'success' | 'warning' | 'error';

/** Button in a toast. Pressing it closes the toast. */
export interface ToastAction {
  label: string;
  onClick: () => void;
}

interface Options {
  /** Name of the toast. A new toast with the same name replaces it, and `toast.end` ends it. */
  name?: string;
  /** Time in ms until the toast closes automatically. */
  timeout?: number;
  /** A button in the toast, such as *Undo*. */
  action?: ToastAction;
  /** Several buttons, below the text. */
  actions?: ToastAction[];
}

const TIMEOUT_MS = 6_000;

const listeners = new Set<() => void>();
let wanted = false;
const setWanted = (now: boolean) => {
  wanted = now;
  for (const listener of listeners) listener();
};
let mounted: () => void = () => undefined;
const host = new Promise<void>((resolve) => {
  mounted = resolve;
});

/**
 * True once a toast was requested. Until then the code of the toasts is not loaded
 * (shell/ToastHost.tsx).
 */
export const toastsWanted = {
  get: () => wanted,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Reports that the code failed to load. The next toast retries. */
  missed: () => setWanted(false),
};

/** Marks `Toaster` as mounted. Toasts wait for it, because they would be lost before. */
export const toastsMounted = () => mounted();

async function show(kind: Kind, text: string, { name, timeout = TIMEOUT_MS, action, actions }: Options): Promise<void> {
  setWanted(true);
  const [{ toastManager }] = await Promise.all([import('./toastManager.ts'), host]);
  toastManager.add({
    id: name,
    type: kind,
    title: text,
    timeout,
    actionProps: action && { children: action.label, onClick: action.onClick },
    data: { actions },
  });
}

const showAs =
  (kind: Kind) =>
  (text: string, options: Options = {}) => {
    // The code of the toasts cannot load without a network. The toast is then not shown.
    show(kind, text, options).catch(() => undefined);
  };

/** Closes the toast `name`, for example because its text no longer applies. */
function end(name: string): void {
  if (wanted) void import('./toastManager.ts').then(({ toastManager }) => toastManager.close(name)).catch(() => undefined);
}

/** Shows a toast for 6 s. */
export const toast = Object.assign(showAs('message'), {
  success: showAs('success'),
  warning: showAs('warning'),
  error: showAs('error'),
  end,
});
