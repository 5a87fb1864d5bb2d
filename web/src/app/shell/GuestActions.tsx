import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import styles from './GuestActions.module.css';

/** Sign in and register, for guests; a phone shows the sign-in only, the page itself offers the rest. */
export function GuestActions() {
  const { t } = useTranslation();
  return (
    <>
      <ButtonLink render={<Link to={paths.login} />} variant="ghost" size="small" className={styles.signIn}>
        {t('nav.login')}
      </ButtonLink>
      <span className={styles.register}>
        <ButtonLink render={<Link to={paths.register} />} size="small">
          {t('nav.register')}
        </ButtonLink>
      </span>
    </>
  );
}
