import { Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { If, useFacts } from '../../../shared/api/facts.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';

/** What it costs and when: with the price of one applicant where the server has one. */
export function PriceLine() {
  const { t } = useTranslation();
  const { price } = useFacts();
  return (
    <li>
      <Icon of={Wallet} size={18} />
      <span>
        <If fact="price">{t('landing.priceLine', { price })}</If>
        <If not="price" otherwise>
          {t('landing.priceLineUnknown')}
        </If>
      </span>
    </li>
  );
}
