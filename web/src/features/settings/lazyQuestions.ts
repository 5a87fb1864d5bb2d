import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';

// Dialogs that ask for a confirmation. They load when they open.

export const ConfirmDialog = lazyComponent(async () => (await import('../../shared/ui/ConfirmDialog.tsx')).ConfirmDialog);

export const DeleteAccountDialog = lazyComponent(async () => (await import('./DeleteAccountDialog.tsx')).DeleteAccountDialog);
