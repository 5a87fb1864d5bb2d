import { Moon, Sun } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { If } from '../../shared/api/facts.tsx';
import { useShrunk } from '../../shared/hooks/useShrunk.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { chooseScheme, useScheme } from '../../shared/theme/scheme.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { classes } from '../../shared/ui/classes.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import { Container } from '../../shared/ui/Layout.tsx';
import { Mark } from '../../shared/ui/Mark.tsx';
import { LanguageSwitch } from '../shell/LanguageSwitch.tsx';
import styles from './DocumentFrame.module.css';

/** What stands around the page of a document for guests: the way to its content, the header, and the foot. */
export function DocumentFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={styles.page}>
      <ButtonLink href="#main" className={styles.skip}>
        {t('shell.skip')}
      </ButtonLink>
      <If fact="demo">
        <aside aria-label={t('shell.demoLabel')} className={styles.ribbon}>
          {t('shell.demo')}
        </aside>
      </If>
      <Header />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Container as="footer">
        <div className={styles.footer}>
          <span>{t('footer.disclaimer')}</span>
          <a href={paths.privacy}>{t('footer.privacy')}</a>
          <a href={paths.status}>{t('footer.status')}</a>
          <a href={paths.faq}>{t('footer.faq')}</a>
          <span>{t('footer.times')}</span>
        </div>
      </Container>
    </div>
  );
}

function Header() {
  const { t } = useTranslation();
  const shrunk = useShrunk();
  const language = useLanguage();
  return (
    <header className={styles.header}>
      <Container className={classes(styles.row, shrunk && styles.shrunk)}>
        <a href={paths.home} aria-label={t('shell.home')} className={styles.home}>
          <Mark />
          <span className={styles.name}>{t('brand.name')}</span>
          {language === 'zh' && (
            <span lang="en" aria-hidden="true" className={styles.latin}>
              {t('brand.latin')}
            </span>
          )}
        </a>
        <nav aria-label={t('shell.mainNav')} className={styles.nav}>
          <a href={paths.home} className={styles.link}>
            {t('nav.home')}
          </a>
          <a href={paths.faq} className={styles.link}>
            {t('nav.faq')}
          </a>
          <a href={paths.status} className={styles.link}>
            {t('nav.status')}
          </a>
        </nav>
        <span className={styles.space} />
        <div className={styles.switches}>
          <LanguageSwitch />
          <ThemeSwitch />
        </div>
        <ButtonLink href={paths.login} variant="ghost" size="small" className={styles.login}>
          {t('nav.login')}
        </ButtonLink>
        <ButtonLink href={paths.register} size="small" className={styles.register}>
          {t('nav.register')}
        </ButtonLink>
      </Container>
    </header>
  );
}

function ThemeSwitch() {
  const { t } = useTranslation();
  const dark = useScheme() === 'dark';
  return (
    <IconButton label={t(dark ? 'shell.toLight' : 'shell.toDark')} onClick={() => chooseScheme(dark ? 'light' : 'dark')}>
      <span className={styles.light}>
        <Icon of={Moon} />
      </span>
      <span className={styles.dark}>
        <Icon of={Sun} />
      </span>
    </IconButton>
  );
}
