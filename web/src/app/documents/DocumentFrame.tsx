import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { If, WhereBilled, WhereOpen } from '../../shared/api/facts.tsx';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { paths } from '../../shared/routing/paths.ts';
import { ButtonLink } from '../../shared/ui/Button.tsx';
import { DemoRibbon } from '../shell/DemoRibbon.tsx';
import { Footer } from '../shell/Footer.tsx';
import { GuestActions } from '../shell/GuestActions.tsx';
import { Header } from '../shell/Header.tsx';
import nav from '../shell/nav.module.css';
import { SkipLink } from '../shell/SkipLink.tsx';
import styles from './PublicDocument.module.css';

/** Renders the frame of a sign-in page: the skip link, the header, and the footer. */
export function DocumentFrame({ children }: { children: ReactNode }) {
  return (
    <div className={styles.page}>
      <SkipLink />
      <If fact="demo">
        <DemoRibbon demo />
      </If>
      <Header home={paths.home} nav={<Nav />} bare={false} account={<Account />} />
      <main id="main" tabIndex={-1} className={styles.main}>
        {children}
      </main>
      <Footer Billed={WhereBilled} />
    </div>
  );
}

/** Renders the sign-in links, or for a signed-in user the link to the dashboard. */
function Account() {
  const { t } = useTranslation();
  if (!useIdentity()) return <GuestActions Open={WhereOpen} />;
  return (
    <ButtonLink href={paths.dashboard} variant="ghost" size="small">
      {t('nav.dashboard')}
    </ButtonLink>
  );
}

function Nav() {
  const { t } = useTranslation();
  const links = [
    { href: paths.home, label: t('nav.home') },
    { href: paths.faq, label: t('nav.faq') },
    { href: paths.status, label: t('nav.status') },
  ];
  return (
    <nav aria-label={t('shell.mainNav')} className={nav.row}>
      {links.map((link) => (
        <a key={link.href} href={link.href} className={nav.link}>
          {link.label}
        </a>
      ))}
    </nav>
  );
}
