import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { FaqPage } from './FaqPage.tsx';
import { FaqTools } from './FaqTools.tsx';

/** Renders the FAQ in the app for development, where no server provides its document. */
export function WholeFaqPage() {
  const { t } = useTranslation();
  usePageTitle(t('faq.title'));
  return <FaqPage tools={<FaqTools />} />;
}
