import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShrunk } from '../../shared/hooks/useShrunk.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { classes } from '../../shared/ui/classes.ts';
import { Container } from '../../shared/ui/Layout.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { Mark } from '../../shared/ui/Mark.tsx';
import styles from './Header.module.css';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

interface Props {
  /** Page to which the logo links. On that page it scrolls to the top. */
  home: string;
  nav: ReactNode;
  /** Balance and account of a signed-in user, or the sign-in links. */
  account: ReactNode;
  /** True if phones show language and theme elsewhere. */
  bare: boolean;
  /** True if there is also a menu button at the right. */
  crowded?: boolean;
}

/**
 * Renders the sticky header: logo, navigation, language and theme, account. It becomes smaller
 * after scrolling.
 */
export function Header({ home, nav, account, bare, crowded }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const shrunk = useShrunk();
  const toTop = (event: MouseEvent) => {
    if (window.location.pathname !== home) return;
    event.preventDefault();
    window.scrollTo({ top: 0 });
  };
  return (
    <header className={styles.header}>
      <Container className={classes(styles.bar, shrunk && styles.shrunk, crowded && styles.crowded)}>
        <Link to={home} onClick={toTop} aria-label={t('shell.home')} className={styles.logo}>
          <Mark />
          <span className={styles.name}>{t('brand.name')}</span>
          {language === 'zh' && (
            <span lang="en" aria-hidden="true" className={styles.latin}>
              {t('brand.latin')}
            </span>
          )}
        </Link>
        {nav}
        <div className={styles.space} />
        <div className={classes(styles.switches, bare && styles.bare)}>
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        {account}
      </Container>
    </header>
  );
}
