import { ChevronDown } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { amount } from '../../shared/i18n/format.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import styles from './PaymentDetails.module.css';
import sums from './sums.module.css';

/**
 * Renders the details of a payment, which a button opens: the amount, the fee of zero, the total.
 */
export function PaymentDetails({ value, currency }: { value: number | null; currency: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  const shown = value === null ? '—' : t('unit.cad', { amount: amount(value), currency });
  return (
    <div className={styles.root}>
      <button type="button" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)} className={styles.button}>
        {t('card.details')}
        <Icon of={ChevronDown} size={18} className={styles.icon} />
      </button>
      <div id={id} hidden={!open} className={styles.list}>
        <dl className={sums.pairs}>
          <dt>{t('card.amount')}</dt>
          <dd>{shown}</dd>
          <dt>{t('card.fee')}</dt>
          <dd>{t('card.free')}</dd>
          <dt className={sums.sum}>{t('card.total')}</dt>
          <dd className={sums.sumValue}>{shown}</dd>
        </dl>
      </div>
    </div>
  );
}
