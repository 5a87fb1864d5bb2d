import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isPlainHttp } from '../../shared/browser/plainHttp.ts';
import { SideNote } from '../../shared/ui/SideNote.tsx';

/**
 * Renders the warning beside the portal password on a page loaded over plain HTTP: others on the
 * network can read it.
 */
export function PlainHttpNote() {
  const { t } = useTranslation();
  if (!isPlainHttp()) return null;
  return <SideNote icon={TriangleAlert}>{t('portal.plainHttp')}</SideNote>;
}
