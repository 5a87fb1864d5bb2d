import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { FaqPage } from './FaqPage.tsx';
import { FaqTools } from './FaqTools.tsx';

/** Renders the FAQ within the app, for development without prerendered documents. */
export function WholeFaqPage() {
  const { t } = useTranslation();
  usePageTitle(t('faq.title'));
  return <FaqPage tools={<FaqTools />} />;
}
