import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { reloadForNewBuild } from '../../shared/pwa/newBuild.ts';

// Steps, lists and dialogs that load later, because the first step does not show them.

export const CountryList = lazyComponent(async () => (await import('./CountryList.tsx')).CountryList, reloadForNewBuild);

export const KnownAccount = lazyComponent(async () => (await import('./KnownAccount.tsx')).KnownAccount);

export const StepConfigure = lazyComponent(async () => (await import('./StepConfigure.tsx')).StepConfigure);

export const StepConfirm = lazyComponent(async () => (await import('./StepConfirm.tsx')).StepConfirm);

export const WizardAside = lazyComponent(async () => (await import('./WizardAside.tsx')).WizardAside);

export const VerifyOverlay = lazyComponent(async () => (await import('./VerifyOverlay.tsx')).VerifyOverlay);

export const TakenDialog = lazyComponent(async () => (await import('./TakenDialog.tsx')).TakenDialog);

export const PasswordDialog = lazyComponent(
  async () => (await import('../../parts/portalAccount/PasswordDialog.tsx')).PasswordDialog,
);

export const PriceChangedDialog = lazyComponent(
  async () => (await import('../../parts/balance/PriceChangedDialog.tsx')).PriceChangedDialog,
);

export const InsufficientDialog = lazyComponent(
  async () => (await import('../../parts/balance/InsufficientDialog.tsx')).InsufficientDialog,
);
