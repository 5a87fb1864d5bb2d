import { hasCode } from '../../shared/api/errors.ts';
import type { CodeStatus, DiscountType } from '../../shared/api/money.ts';
import { errorText } from '../../shared/format/errorText.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';

/** Name of each kind of discount. */
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

/** Returns the reason why a code gives no discount, or null if it gives one. */
export function refusalText(status: string): TextKey | null {
  if (status === 'applied') return null;
  return refusals[status as keyof typeof refusals] ?? 'codes.refused';
}

/**
 * Returns the text for a failed submission. If the server refused a code, the text states the
 * reason.
 */
export function submitErrorText(error: unknown): TextKey {
  if (!hasCode(error, 'PROMO_REFUSED', 'REFERRAL_REFUSED')) return errorText(error, 'problem.generic');
  const reason = (error.data as { reason?: string } | null)?.reason ?? '';
  return refusalText(reason) ?? 'codes.refused';
}
