import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import type { DiscountLine } from '../../shared/api/money.ts';
import type { Task } from '../../shared/api/types.ts';
import { MASKED_AMOUNT } from '../../shared/format/maskedAmount.ts';
import { amount, instantParts, joined, unbroken } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import type { Term } from './TermList.tsx';

const kinds: Record<DiscountLine['type'], TextKey> = {
  personal: 'task.discount_personal',
  group: 'task.discount_group',
  promo: 'task.discount_promo',
  referral: 'task.discount_referral',
};

/**
 * Returns the parts of a task's price as terms. `hidden` masks the amounts. The list is empty if
 * the server charges nothing.
 */
export function usePriceTerms(task: Task, hidden: boolean): Term[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const billing = useBilling();
  if (!billing) return [];
  const { price } = task;
  const shown = (value: number) => (hidden ? MASKED_AMOUNT : amount(value));
  const money = (value: number) => `${shown(value)} ${price.currency}`;
  const parts = { unit: shown(price.unit_price), count: price.applicants_count, total: shown(price.total) };
  const rows: Term[] = [{ term: t('task.price'), value: t('task.priceParts', { ...parts, currency: price.currency }) }];
  if (price.total_discount > 0) {
    const lines = price.discount_lines.map((line) =>
      t('task.discountEach', { kind: t(kinds[line.type]), amount: shown(line.amount) }),
    );
    rows.push(
      {
        term: t('task.original'),
        value: t('task.originalEach', { amount: shown(price.original_unit_price), currency: price.currency }),
      },
      { term: t('task.saved'), value: [money(price.total_discount), joined(lines, language)].filter(Boolean).join(' · ') },
    );
  }
  rows.push({
    term: t('task.unpaid'),
    value: price.unpaid_remainder > 0 ? money(price.unpaid_remainder) : t('task.nothingUnpaid'),
  });
  if (price.entitled_until) rows.push({ term: t('task.entitled'), value: unbroken(instantParts(price.entitled_until).date) });
  return rows;
}
