import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../../../shared/hooks/usePageTitle.ts';
import { FaqPage } from './FaqPage.tsx';
import { FaqTools } from './FaqTools.tsx';

/** The questions inside the app, where the server has no document of them: while the web is being worked on. */
export function WholeFaqPage() {
  const { t } = useTranslation();
  usePageTitle(t('faq.title'));
  return <FaqPage tools={<FaqTools />} />;
}
