import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { paths } from '../../routes/paths.ts';
import { Icon } from '../../ui/Icon.tsx';

/** The way on for whoever is signed in, in the place of the sign-up card. */
export function ToDashboard() {
  const { t } = useTranslation();
  return (
    <Button href={paths.dashboard} size="large" endIcon={<Icon name="arrowRight" size={18} />}>
      {t('landing.toDashboard')}
    </Button>
  );
}
