import { useTranslation } from 'react-i18next';
import { OwnPolicy } from './PolicyPage.tsx';

/** Renders the statement that the server charges nothing, in place of prices or refunds. */
export function NoCharge({ page }: { page: 'pricing' | 'refunds' }) {
  const { t } = useTranslation();
  return (
    <OwnPolicy heading={`${page}.title`}>
      <p>{t('policy.noCharge')}</p>
    </OwnPolicy>
  );
}
