import { queryClient } from '../api/queries.ts';
import { keepCharge } from './lastCharge.ts';
import { forgetPriceCodes } from './priceCodes.ts';
import { forgetVerifications } from './verifyCache.ts';
import { forgetWizard } from './wizardDraft.ts';

/** Drops everything this browser knows about whoever was signed in: at every sign-out, whichever tab it came from. */
export function forgetPerson(): void {
  queryClient.clear();
  forgetVerifications();
  forgetWizard();
  forgetPriceCodes();
  keepCharge(null);
}
