import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import styles from './GuestActions.module.css';

interface Props {
  /**
   * Component that renders its children if registration is open. The app and the documents pass
   * different components.
   */
  Open: ComponentType<{ children: ReactNode }>;
}

/**
 * Renders the links to sign-in and registration for guests. Phones show only the sign-in link,
 * because the page itself links to the registration.
 */
export function GuestActions({ Open }: Props) {
  const { t } = useTranslation();
  return (
    <>
      <ButtonLink render={<Link to={paths.login} />} variant="ghost" size="small" className={styles.signIn}>
        {t('nav.login')}
      </ButtonLink>
      <Open>
        <span className={styles.register}>
          <ButtonLink render={<Link to={paths.register} />} size="small">
            {t('nav.register')}
          </ButtonLink>
        </span>
      </Open>
    </>
  );
}
