import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../../shared/routing/paths.ts';
import { ButtonLink } from '../../../shared/ui/Button.tsx';
import { Icon } from '../../../shared/ui/Icon.tsx';

/** Renders the link to the dashboard, which replaces the registration card for signed-in users. */
export function ToDashboard() {
  const { t } = useTranslation();
  return (
    <ButtonLink href={paths.dashboard} size="large" end={<Icon of={ArrowRight} size={18} />}>
      {t('landing.toDashboard')}
    </ButtonLink>
  );
}
