import { Toast } from '@base-ui/react/toast';
import type { ToastAction } from './toasts.ts';

/**
 * Manager of the page's toasts. Other code uses `toasts.ts`, which loads this module for the first
 * toast.
 */
export const toastManager = Toast.createToastManager<{ actions?: ToastAction[] }>();
