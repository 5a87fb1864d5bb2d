import { Toast } from '@base-ui/react/toast';
import type { ToastAction } from './toasts.ts';

/** The toasts of the page. Pages say things by `toasts.ts`, which asks for this code when there is something to say. */
export const toastManager = Toast.createToastManager<{ actions?: ToastAction[] }>();
