import { Menu } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useKnownFacts } from '../../shared/api/facts.tsx';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { IconButton } from '../../shared/ui/IconButton.tsx';
import styles from '../shell/nav.module.css';
import type { PublicPage } from './publicPages.ts';

const PublicMenu = lazyComponent(async () => (await import('./PublicMenu.tsx')).PublicMenu);

/**
 * Renders the links of a public page's header: sections of the landing page, and the FAQ. On narrow
 * windows they are in a menu.
 */
export function PublicNav({ page }: { page: PublicPage }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const known = useKnownFacts();
  const open = !known?.invite_only && !known?.registration_off;
  const [asked, setAsked] = useState(false);
  const on = (id: string) => (page === 'home' ? `#${id}` : `${paths.home}#${id}`);
  const links = [
    { href: on('showcase'), label: t('open.showcase') },
    { href: on('feedback'), label: t('open.feedback') },
    { href: on('contact'), label: t('open.contact') },
    { href: paths.faq, label: t('nav.faq'), current: page === 'faq' },
  ];
  const ways = identity
    ? [{ href: paths.dashboard, label: t('nav.dashboard') }]
    : [{ href: paths.login, label: t('nav.login') }, ...(open ? [{ href: paths.register, label: t('nav.register') }] : [])];
  const button = (
    <IconButton label={t('open.menu')} aria-haspopup="menu" onClick={() => setAsked(true)} className={styles.menu}>
      <Icon of={Menu} />
    </IconButton>
  );
  return (
    <>
      <nav aria-label={t('shell.mainNav')} className={styles.row}>
        {links.map((link) => (
          <a key={link.href} href={link.href} aria-current={link.current ? 'page' : undefined} className={styles.link}>
            {link.label}
          </a>
        ))}
      </nav>
      {asked ? (
        <PublicMenu trigger={button} links={[...links, ...ways]} fallback={button} onMissing={() => setAsked(false)} />
      ) : (
        button
      )}
    </>
  );
}
