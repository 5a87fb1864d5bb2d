import { useTranslation } from 'react-i18next';
import { If, useFacts, WhereBilled } from '../../../shared/api/facts.tsx';
import styles from './PriceTag.module.css';

/**
 * Renders the price per applicant in large type, and when it is charged. Renders nothing if the
 * price is unknown.
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
