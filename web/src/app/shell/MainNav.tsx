import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { paths } from '../../shared/routing/paths.ts';
import styles from './nav.module.css';

/**
 * Renders the navigation in the header on windows of 900 px and more. Narrower windows use the
 * bottom bar or the menu.
 */
export function MainNav() {
  const { t } = useTranslation();
  const identity = useIdentity();
  const links = identity
    ? [
        { to: paths.dashboard, label: t('nav.dashboard') },
        { to: paths.wizard(), label: t('nav.wizard') },
        { to: paths.faq, label: t('nav.faq') },
        { to: paths.status, label: t('nav.status') },
      ]
    : [
        { to: paths.home, label: t('nav.home') },
        { to: paths.faq, label: t('nav.faq') },
        { to: paths.status, label: t('nav.status') },
      ];
  return (
    <nav aria-label={t('shell.mainNav')} className={styles.row}>
      {links.map((link) => (
        <NavLink key={link.to} to={link.to} end className={styles.link}>
          {link.label}
        </NavLink>
      ))}
    </nav>
  );
}
