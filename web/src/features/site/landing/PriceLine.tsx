import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { paths } from '../../../shared/routing/paths.ts';
import { Icon } from '../../../shared/ui/Icon.tsx';
import styles from './HeroIntro.module.css';

/**
 * Renders the price per applicant, if known, and when it is charged. If the server charges nothing,
 * it states that.
 */
export function PriceLine() {
  const { t } = useTranslation();
  const { price } = useFacts();
  return (
    <li>
      <Icon of={Wallet} size={18} />
      <span>
        <If fact="billing_off">{t('landing.noCharge')}</If>
        <If not="billing_off" otherwise>
          <If fact="price">{t('landing.priceLine', { price })}</If>
          <If not="price" otherwise>
            {t('landing.priceLineUnknown')}
          </If>{' '}
          <a href={paths.pricing} className={styles.price}>
            {t('landing.priceMore')}
          </a>
        </If>
      </span>
    </li>
  );
}
