import { Toast } from '@base-ui/react/toast';
import type { ToastAction } from './toasts.ts';

/** The toasts of the page. Pages use `toasts.ts`, which loads this code for the first toast. */
export const toastManager = Toast.createToastManager<{ actions?: ToastAction[] }>();
