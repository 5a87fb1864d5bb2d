import { late } from '../../shared/pwa/late.tsx';

// What opens over the wizard loads when it is opened.

export const VerifyOverlay = late(async () => (await import('./VerifyOverlay.tsx')).VerifyOverlay);

export const TakenDialog = late(async () => (await import('./TakenDialog.tsx')).TakenDialog);

export const PasswordDialog = late(async () => (await import('../../parts/portalAccount/PasswordDialog.tsx')).PasswordDialog);

export const PriceChangedDialog = late(
  async () => (await import('../../parts/balance/PriceChangedDialog.tsx')).PriceChangedDialog,
);

export const InsufficientDialog = late(
  async () => (await import('../../parts/balance/InsufficientDialog.tsx')).InsufficientDialog,
);
