import { useTranslation } from 'react-i18next';
import { OwnPolicy } from './PolicyPage.tsx';

/** In the place of prices and refunds where nothing is charged: that it is so. */
export function NoCharge({ page }: { page: 'pricing' | 'refunds' }) {
  const { t } = useTranslation();
  return (
    <OwnPolicy heading={`${page}.title`}>
      <p>{t('policy.noCharge')}</p>
    </OwnPolicy>
  );
}
