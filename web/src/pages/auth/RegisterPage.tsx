import { useTranslation } from 'react-i18next';
export function RegisterPage() {
  const { t } = useTranslation();
  return <h1>{t('brand.name')}</h1>;
}
