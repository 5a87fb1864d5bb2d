import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useIdentity } from '../lib/useIdentity.ts';
import { paths } from '../routes/paths.ts';
import { Icon } from '../ui/Icon.tsx';
import type { OpenPage } from './pages.ts';

/** The header's links of the open pages: parts of the landing, and the questions. A menu where there is no room. */
export function OpenNav({ page }: { page: OpenPage }) {
  const { t } = useTranslation();
  const identity = useIdentity();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
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
  return (
    <>
      <Box component="nav" aria-label={t('shell.mainNav')} sx={{ display: { xs: 'none', md: 'flex' }, gap: 0.5, ml: 3, flex: 1 }}>
        {links.map((link) => (
          <Box
            key={link.href}
            component="a"
            href={link.href}
            aria-current={link.current ? 'page' : undefined}
            sx={{
              display: 'inline-flex',
              alignItems: 'center',
              height: 40,
              px: 1.5,
              borderRadius: '999px',
              fontSize: 15,
              fontWeight: 500,
              color: 'text.secondary',
              textDecoration: 'none',
              '&:hover': { bgcolor: 'background.sunken', color: 'text.primary' },
              '&[aria-current]': { bgcolor: 'background.sunken', color: 'text.primary', fontWeight: 600 },
            }}
          >
            {link.label}
          </Box>
        ))}
      </Box>
      <IconButton
        aria-label={t('open.menu')}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event: MouseEvent<HTMLElement>) => setAnchor(event.currentTarget)}
        sx={{ display: { md: 'none' }, order: 9 }}
      >
        <Icon name="menu" />
      </IconButton>
      <Menu
        anchorEl={anchor}
        open={anchor !== null}
        onClose={() => setAnchor(null)}
        slotProps={{ paper: { sx: { minWidth: 200 } } }}
      >
        {[...links, ...ways].map((link) => (
          <MenuItem key={link.href} component="a" href={link.href} onClick={() => setAnchor(null)}>
            {link.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
