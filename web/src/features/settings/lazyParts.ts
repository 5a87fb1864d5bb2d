import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';

// Dialogs with forms. They load when they open, because they are as large as the page.

export const EmailDialog = lazyComponent(async () => (await import('./EmailDialog.tsx')).EmailDialog);

export const NameDialog = lazyComponent(async () => (await import('./NameDialog.tsx')).NameDialog);

export const PasswordDialog = lazyComponent(async () => (await import('./PasswordDialog.tsx')).PasswordDialog);

export const SecondFactorDialog = lazyComponent(async () => (await import('./SecondFactorDialog.tsx')).SecondFactorDialog);

export const AddPasskeyDialog = lazyComponent(async () => (await import('./AddPasskeyDialog.tsx')).AddPasskeyDialog);

export const NewCodesDialog = lazyComponent(async () => (await import('./NewCodesDialog.tsx')).NewCodesDialog);
