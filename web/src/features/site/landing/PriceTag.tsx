import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled } from '../../../shared/api/facts.tsx';
import styles from './PriceTag.module.css';

/**
 * Renders the price of one applicant as a figure, and when it is charged. It renders nothing if no
 * price is known.
 */
export function PriceTag() {
  const { t } = useTranslation();
  const { price } = useFacts();
  return (
    <WhereBilled>
      <If fact="price">
        <p className={styles.tag}>
          <b>{price}</b>
          <span>{t('showcase.price')}</span>
        </p>
      </If>
    </WhereBilled>
  );
}
