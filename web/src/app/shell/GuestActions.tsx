import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/routing/paths.ts';
import { Link } from '../../shared/ui/Link.tsx';

/** Sign in and register, for guests; a phone shows the sign-in only, the page itself offers the rest. */
export function GuestActions() {
  const { t } = useTranslation();
  return (
    <>
      <Button component={Link} to={paths.login} variant="ghost" size="small" sx={{ px: { xs: 1, md: 1.75 } }}>
        {t('nav.login')}
      </Button>
      <Button component={Link} to={paths.register} size="small" sx={{ display: { xs: 'none', sm: 'inline-flex' } }}>
        {t('nav.register')}
      </Button>
    </>
  );
}
