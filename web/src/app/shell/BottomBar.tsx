import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router';
import { Icon } from '../../shared/legacy/Icon.tsx';
import { paths } from '../../shared/routing/paths.ts';

/** The phone's navigation, under 900 px, for signed-in people. */
export function BottomBar() {
  const { t } = useTranslation();
  const items = [
    { to: paths.dashboard, icon: 'grid', label: t('nav.dashboard') },
    { to: paths.wizard(), icon: 'plus', label: t('nav.wizard') },
    { to: paths.faq, icon: 'help', label: t('nav.faq') },
    { to: paths.settings, icon: 'settings', label: t('nav.settings') },
  ] as const;
  return (
    <Box
      component="nav"
      aria-label={t('shell.bottomNav')}
      sx={{
        display: { xs: 'grid', md: 'none' },
        gridTemplateColumns: 'repeat(4,1fr)',
        position: 'fixed',
        insetInline: 0,
        bottom: 0,
        zIndex: 1100,
        bgcolor: 'background.paper',
        borderTop: 1,
        borderColor: 'divider',
        p: '6px 8px max(6px, env(safe-area-inset-bottom))',
      }}
    >
      {items.map((item) => (
        <Box
          key={item.to}
          component={NavLink}
          to={item.to}
          end
          sx={{
            display: 'grid',
            justifyItems: 'center',
            gap: '2px',
            p: 0.5,
            fontSize: 12,
            lineHeight: 1.4,
            fontWeight: 500,
            color: 'text.secondary',
            textDecoration: 'none',
            '&[aria-current]': { color: 'primary.ink', fontWeight: 600 },
          }}
        >
          <Icon name={item.icon} size={24} />
          {item.label}
        </Box>
      ))}
    </Box>
  );
}
