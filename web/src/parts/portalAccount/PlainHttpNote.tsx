import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isPlainHttp } from '../../shared/browser/plainHttp.ts';
import { SideNote } from '../../shared/ui/SideNote.tsx';

/**
 * Renders the warning beside the portal password if the page was loaded over plain HTTP. Others on
 * the network can then read the password.
 */
export function PlainHttpNote() {
  const { t } = useTranslation();
  if (!isPlainHttp()) return null;
  return <SideNote icon={TriangleAlert}>{t('portal.plainHttp')}</SideNote>;
}
