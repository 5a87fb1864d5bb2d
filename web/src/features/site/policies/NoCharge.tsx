import { useTranslation } from 'react-i18next';
import { OwnPolicy } from './PolicyPage.tsx';

/** Renders that nothing is charged, in place of prices and refunds. */
export function NoCharge({ page }: { page: 'pricing' | 'refunds' }) {
  const { t } = useTranslation();
  return (
    <OwnPolicy heading={`${page}.title`}>
      <p>{t('policy.noCharge')}</p>
    </OwnPolicy>
  );
}
