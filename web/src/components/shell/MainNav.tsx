import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { useIdentity } from '../../lib/useIdentity.ts';
import { paths } from '../../routes/paths.ts';

/** The header's navigation from 900 px up; phones use the bottom bar or the menu. */
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
    <Box component="nav" aria-label={t('shell.mainNav')} sx={{ display: { xs: 'none', md: 'flex' }, gap: 0.5, ml: 3, flex: 1 }}>
      {links.map((link) => (
        <Box
          key={link.to}
          component={NavLink}
          to={link.to}
          end
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
  );
}
