import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useBilling } from '../../shared/api/billing.ts';
import { costOf, expectedTotal } from '../../shared/api/pricing.ts';
import { queries } from '../../shared/api/queries.ts';
import { codesOnWire, usePriceCodes } from './priceCodes.ts';
import { applicantsOf, type Choice } from './wizardChoice.ts';

/**
 * Returns the price of the chosen groups with the typed codes: the total with its lines, and the
 * values for the submission.
 */
export function useWizardPrice(chosen: Choice[]) {
  const billing = useBilling();
  const given = usePriceCodes();
  const ids = chosen.map((choice) => choice.group.id).sort();
  const question = { ...codesOnWire(given), ...(ids.length > 0 ? { schedule_ids: ids } : {}) };
  const query = useQuery({ ...queries.pricing(question), placeholderData: keepPreviousData });
  const price = billing ? query.data : undefined;
  const applicants = applicantsOf(chosen);
  const tasks = chosen.map((choice) => ({ id: choice.group.id, applicants: applicantsOf([choice]) }));
  // Codes without effect are not sent, because the server would refuse the submission.
  const worth = {
    promo: price?.promo && price.promo.status !== 'applied' ? '' : given.promo,
    referral: price?.referral && price.referral.status !== 'applied' ? '' : given.referral,
  };
  return {
    price,
    cost: price ? costOf(price, tasks) : null,
    applicants,
    /**
     * Undefined while a request runs and for an estimate, because the user cannot accept either.
     */
    expected: query.isPlaceholderData ? undefined : expectedTotal(price, applicants),
    codes: billing ? codesOnWire(worth) : {},
    /** Error of checking the codes. In that case there is no price. */
    unchecked: query.error && { error: query.error, failedAt: query.errorUpdatedAt },
    loading: query.isFetching,
    retry: () => void query.refetch(),
  };
}
