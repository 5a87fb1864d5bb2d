import Box from '@mui/material/Box';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { Glyph } from '../../shared/legacy/Glyph.tsx';
import { menu } from '../../shared/legacy/headIcons.tsx';
import { RoundButton } from '../../shared/legacy/RoundButton.tsx';
import { late } from '../../shared/pwa/late.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { navLink, navRow } from '../shell/navLink.ts';
import type { OpenPage } from './pages.ts';

const OpenMenu = late(async () => (await import('./OpenMenu.tsx')).OpenMenu);

/** The header's links of the open pages: parts of the landing, and the questions. A menu where there is no room. */
export function OpenNav({ page }: { page: OpenPage }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
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
    : [
        { href: paths.login, label: t('nav.login') },
        { href: paths.register, label: t('nav.register') },
      ];
  const open = (event: MouseEvent<HTMLElement>) => {
    setAsked(true);
    setAnchor(event.currentTarget);
  };
  const missing = () => {
    setAsked(false);
    setAnchor(null);
  };
  return (
    <>
      <Box component="nav" aria-label={t('shell.mainNav')} sx={navRow}>
        {links.map((link) => (
          <Box key={link.href} component="a" href={link.href} aria-current={link.current ? 'page' : undefined} sx={navLink}>
            {link.label}
          </Box>
        ))}
      </Box>
      <RoundButton
        type="button"
        aria-label={t('open.menu')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={open}
        sx={{ display: { md: 'none' }, order: 9 }}
      >
        <Glyph>{menu}</Glyph>
      </RoundButton>
      {asked && <OpenMenu anchor={anchor} links={[...links, ...ways]} onClose={() => setAnchor(null)} onMissing={missing} />}
    </>
  );
}
