import { useTranslation } from 'react-i18next';
export function ResendVerificationPage() {
  const { t } = useTranslation();
  return <h1>{t('brand.name')}</h1>;
}
