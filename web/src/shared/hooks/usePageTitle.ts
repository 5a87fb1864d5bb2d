import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';

/** Sets the title of the browser tab. */
export function usePageTitle(title: string): void {
  const { t } = useTranslation();
  const brand = t('brand.name');
  useEffect(() => {
    document.title = title ? `${title} · ${brand}` : brand;
  }, [title, brand]);
}
