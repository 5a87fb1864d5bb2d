import { hasCode } from '../../shared/api/errors.ts';
import type { CodeStatus, DiscountType } from '../../shared/api/money.ts';
import { errorText } from '../../shared/format/errorText.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Names of discounts, line by line. */
export const discountTexts: Record<DiscountType, TextKey> = {
  personal: 'cost.discountPersonal',
  group: 'cost.discountGroup',
  promo: 'cost.discountPromo',
  referral: 'cost.discountReferral',
};

const refusals: Record<Exclude<CodeStatus, 'applied'>, TextKey> = {
  unknown: 'codes.unknown',
  not_yet: 'codes.notYet',
  expired: 'codes.expired',
  used_up: 'codes.usedUp',
  used_by_you: 'codes.usedByYou',
  not_yours: 'codes.notYours',
  own_code: 'codes.ownCode',
  not_first: 'codes.notFirst',
  nothing_left: 'codes.nothingLeft',
};

/** Returns why a code has no effect, or null if it has one. */
export function refusalText(status: string): TextKey | null {
  if (status === 'applied') return null;
  return refusals[status as keyof typeof refusals] ?? 'codes.refused';
}

/** Returns why a submit failed. A refused code has its own reason. */
export function submitErrorText(error: unknown): TextKey {
  if (!hasCode(error, 'PROMO_REFUSED', 'REFERRAL_REFUSED')) return errorText(error, 'problem.generic');
  const reason = (error.data as { reason?: string } | null)?.reason ?? '';
  return refusalText(reason) ?? 'codes.refused';
}
