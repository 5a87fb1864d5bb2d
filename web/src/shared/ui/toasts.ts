type Kind = 'message' | 'success' | 'warning' | 'error';

/** A button in a toast; pressing one closes it. */
export interface ToastAction {
  label: string;
  onClick: () => void;
}

interface Options {
  /** Another toast of this name takes its place, and `toast.end` ends it. */
  name?: string;
  /** Milliseconds until it goes by itself. */
  timeout?: number;
  /** A button in the toast, such as *Undo*. */
  action?: ToastAction;
  /** Or several, below the text. */
  actions?: ToastAction[];
}

const TIMEOUT_MS = 6_000;

const listeners = new Set<() => void>();
let wanted = false;
const want = (now: boolean) => {
  wanted = now;
  for (const listener of listeners) listener();
};
let mounted: () => void = () => undefined;
const host = new Promise<void>((resolve) => {
  mounted = resolve;
});

/** Whether there is anything to show: until then the toasts' code is not asked for (shell/ToastHost.tsx). */
export const toastsWanted = {
  get: () => wanted,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  /** Their code did not come: the next toast asks for it again. */
  missed: () => want(false),
};

/** To be called when the place where toasts appear is there: what was said before it would be lost. */
export const toastsMounted = () => mounted();

async function show(kind: Kind, text: string, { name, timeout = TIMEOUT_MS, action, actions }: Options): Promise<void> {
  want(true);
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

const say =
  (kind: Kind) =>
  (text: string, options: Options = {}) => {
    // Without a network and without their code there is no place to say anything.
    show(kind, text, options).catch(() => undefined);
  };

/** Ends the toast of a name whose words are true no more. */
function end(name: string): void {
  if (wanted) void import('./toastManager.ts').then(({ toastManager }) => toastManager.close(name)).catch(() => undefined);
}

/** Says something in a toast for 6 s. */
export const toast = Object.assign(say('message'), {
  success: say('success'),
  warning: say('warning'),
  error: say('error'),
  end,
});
