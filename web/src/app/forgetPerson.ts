import { forgetPriceCodes } from '../features/wizard/priceCodes.ts';
import { forgetVerifications } from '../features/wizard/verifyCache.ts';
import { forgetWizard } from '../features/wizard/wizardDraft.ts';
import { keepCharge } from '../parts/balance/lastCharge.ts';
import { queryClient } from '../shared/api/queries.ts';

/** Drops everything this browser knows about whoever was signed in: at every sign-out, whichever tab it came from. */
export function forgetPerson(): void {
  queryClient.clear();
  forgetVerifications();
  forgetWizard();
  forgetPriceCodes();
  keepCharge(null);
}
