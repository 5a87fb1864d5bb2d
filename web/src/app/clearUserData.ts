import { forgetPriceCodes } from '../features/wizard/priceCodes.ts';
import { forgetVerifications } from '../features/wizard/verifyCache.ts';
import { forgetWizard } from '../features/wizard/wizardDraft.ts';
import { storeCharge } from '../parts/balance/lastCharge.ts';
import { sessionStore } from '../shared/api/identity.ts';
import { queryClient } from '../shared/api/queries.ts';

/** Deletes all data of the user in this browser. It runs at every sign-out in any tab. */
export function clearUserData(): void {
  queryClient.clear();
  forgetVerifications();
  forgetWizard();
  forgetPriceCodes();
  storeCharge(null);
}

const KEY = 'sooner.person';

/**
 * Deletes the stored data if it belongs to another user than the signed-in one. It runs when the
 * app starts, because the sign-in page does not know what the app stores.
 */
export function clearOtherUserData(): void {
  const id = sessionStore.get()?.id;
  if (!id) return;
  try {
    const before = sessionStorage.getItem(KEY);
    if (before !== null && before !== id) clearUserData();
    sessionStorage.setItem(KEY, id);
  } catch {
    // Storage is blocked, so nothing is stored.
  }
}
