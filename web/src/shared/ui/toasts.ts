type Kind = 'message' | 'success' | 'warning' | 'error';

/** A button in a toast. Pressing it closes the toast. */
export interface ToastAction {
  label: string;
  onClick: () => void;
}

interface Options {
  /** Another toast of this name replaces it, and `toast.end` ends it. */
  name?: string;
  /** Milliseconds until it closes by itself. */
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
 * True if there is a toast to show. Until then the toasts' code is not loaded
 * (shell/ToastHost.tsx).
 */
export const toastsWanted = {
  get: () => wanted,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Their code failed to load. The next toast retries. */
  missed: () => setWanted(false),
};

/** Marks the toasts' host as mounted. A toast shown before would be lost. */
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
    // Without a network and without their code no toast can be shown.
    show(kind, text, options).catch(() => undefined);
  };

/** Ends the toast of a name whose text no longer applies. */
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
