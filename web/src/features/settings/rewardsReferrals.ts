import type { Referral } from '../../shared/api/money.ts';

/** Returns whether the operator grants a discount or a reward for referrals. */
export const rewardsReferrals = ({ newcomer_discount, referrer_bonus }: Referral) => newcomer_discount > 0 || referrer_bonus > 0;
