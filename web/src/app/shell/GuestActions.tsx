import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import styles from './GuestActions.module.css';

interface Props {
  /** Shows its children where anybody may register: documents know it otherwise than the app does. */
  Open: ComponentType<{ children: ReactNode }>;
}

/** Sign in and register, for guests; a phone shows the sign-in only, the page itself offers the rest. */
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
