import { forgetPriceCodes } from '../features/wizard/priceCodes.ts';
import { forgetVerifications } from '../features/wizard/verifyCache.ts';
import { forgetWizard } from '../features/wizard/wizardDraft.ts';
import { storeCharge } from '../parts/balance/lastCharge.ts';
import { sessionStore } from '../shared/api/identity.ts';
import { queryClient } from '../shared/api/queries.ts';

/** Deletes everything that this browser stores about the user, at every sign-out in any tab. */
export function clearUserData(): void {
  queryClient.clear();
  forgetVerifications();
  forgetWizard();
  forgetPriceCodes();
  storeCharge(null);
}

const KEY = 'sooner.person';

/**
 * Deletes it if another user has signed in meanwhile. The sign-in page calls it; that page does not
 * know what the app stores.
 */
export function clearOtherUserData(): void {
  const id = sessionStore.get()?.id;
  if (!id) return;
  try {
    const before = sessionStorage.getItem(KEY);
    if (before !== null && before !== id) clearUserData();
    sessionStorage.setItem(KEY, id);
  } catch {
    // Blocked storage holds nothing to delete.
  }
}
