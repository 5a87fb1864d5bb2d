import { useTranslation } from 'react-i18next';
import type { Cost, CostLine } from '../../shared/api/pricing.ts';
import { amount } from '../../shared/i18n/format.ts';
import { discountTexts } from './codeTexts.ts';
import styles from './sums.module.css';

interface Props {
  cost: Cost;
  /** Names of the applicants, by task id. */
  names: Record<string, string>;
  /** Label of the total, if it is not the price to pay. */
  totalLabel?: string;
}

/**
 * Renders the details of one task: each discount with its name, and the applicants who have already
 * paid.
 */
function Parts({ line }: { line: CostLine }) {
  const { t } = useTranslation();
  const discounts = (line.discount_lines ?? []).filter((part) => part.amount > 0);
  const entitled = line.entitled_applicants ?? 0;
  if (discounts.length === 0 && entitled === 0) return null;
  return (
    <dd className={styles.parts}>
      {discounts.length > 0 && (
        <ul>
          <li>{t('cost.base', { price: amount(line.base_price) })}</li>
          {discounts.map((part) => (
            <li key={part.type}>{t('cost.off', { name: t(discountTexts[part.type]), amount: amount(part.amount) })}</li>
          ))}
        </ul>
      )}
      {entitled > 0 && <p>{t('cost.entitled', { count: entitled })}</p>}
    </dd>
  );
}

/** Renders a price in detail: one line per task with its discounts, then the total. */
export function CostBreakdown({ cost, names, totalLabel }: Props) {
  const { t } = useTranslation();
  return (
    <dl className={styles.costs}>
      {cost.schedule_breakdown.map((line) => (
        <div key={line.schedule_id} className={styles.line}>
          <dt className={styles.task}>
            {names[line.schedule_id] && <span className={styles.name}>{names[line.schedule_id]}</span>}
            {t('cost.line', {
              price: amount(line.final_price_per_person),
              count: line.applicants_count - (line.entitled_applicants ?? 0),
            })}
          </dt>
          <dd className={styles.price}>{amount(line.total_price)}</dd>
          <Parts line={line} />
        </div>
      ))}
      <div className={styles.total}>
        <dt>{totalLabel ?? t('cost.total')}</dt>
        <dd>{t('unit.cad', { amount: amount(cost.total_amount), currency: cost.currency })}</dd>
      </div>
    </dl>
  );
}
