import { lazyComponent } from '../../../shared/pwa/lazyComponent.tsx';

// Dialogs of the channels. Each loads when it opens.

export const AddDialog = lazyComponent(async () => (await import('../../../parts/channels/setup/AddDialog.tsx')).AddDialog);

export const ManageDialog = lazyComponent(async () => (await import('./ManageDialog.tsx')).ManageDialog);

export const TimesDialog = lazyComponent(async () => (await import('./TimesDialog.tsx')).TimesDialog);
