import { late } from '../../shared/pwa/late.tsx';

// What the wizard's first step does not show: its other steps, and what opens over it.

export const StepConfigure = late(async () => (await import('./StepConfigure.tsx')).StepConfigure);

export const StepConfirm = late(async () => (await import('./StepConfirm.tsx')).StepConfirm);

export const WizardAside = late(async () => (await import('./WizardAside.tsx')).WizardAside);

export const VerifyOverlay = late(async () => (await import('./VerifyOverlay.tsx')).VerifyOverlay);

export const TakenDialog = late(async () => (await import('./TakenDialog.tsx')).TakenDialog);

export const PasswordDialog = late(async () => (await import('../../parts/portalAccount/PasswordDialog.tsx')).PasswordDialog);

export const PriceChangedDialog = late(
  async () => (await import('../../parts/balance/PriceChangedDialog.tsx')).PriceChangedDialog,
);

export const InsufficientDialog = late(
  async () => (await import('../../parts/balance/InsufficientDialog.tsx')).InsufficientDialog,
);
