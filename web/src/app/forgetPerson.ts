import { forgetPriceCodes } from '../features/wizard/priceCodes.ts';
import { forgetVerifications } from '../features/wizard/verifyCache.ts';
import { forgetWizard } from '../features/wizard/wizardDraft.ts';
import { keepCharge } from '../parts/balance/lastCharge.ts';
import { sessionStore } from '../shared/api/identity.ts';
import { queryClient } from '../shared/api/queries.ts';

/** Drops everything this browser knows about whoever was signed in: at every sign-out, whichever tab it came from. */
export function forgetPerson(): void {
  queryClient.clear();
  forgetVerifications();
  forgetWizard();
  forgetPriceCodes();
  keepCharge(null);
}

const KEY = 'sooner.person';

/** Drops it where somebody else has signed in meanwhile: on the sign-in page, which knows nothing of what the app keeps. */
export function forgetOthers(): void {
  const id = sessionStore.get()?.id;
  if (!id) return;
  try {
    const before = sessionStorage.getItem(KEY);
    if (before !== null && before !== id) forgetPerson();
    sessionStorage.setItem(KEY, id);
  } catch {
    // What is not stored need not be forgotten.
  }
}
