import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../shared/legacy/Icon.tsx';
import { paths } from '../../../shared/routing/paths.ts';

/** The way on for whoever is signed in, in the place of the sign-up card. */
export function ToDashboard() {
  const { t } = useTranslation();
  return (
    <Button href={paths.dashboard} size="large" endIcon={<Icon name="arrowRight" size={18} />}>
      {t('landing.toDashboard')}
    </Button>
  );
}
