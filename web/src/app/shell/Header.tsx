import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import type { MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useShrunk } from '../../shared/hooks/useShrunk.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { Link } from '../../shared/ui/Link.tsx';
import { Mark } from '../../shared/ui/Mark.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

interface Props {
  /** Where the logo leads; on that very page it scrolls to the top. */
  home: string;
  nav: ReactNode;
  /** Balance and account of whoever is signed in, or the ways in. */
  account: ReactNode;
  /** Language and theme have another place on a phone. */
  bare: boolean;
}

/** The sticky header: logo, navigation, language and theme, account at the right. Small once one has scrolled. */
export function Header({ home, nav, account, bare }: Props) {
  const { t } = useTranslation();
  const language = useLanguage();
  const shrunk = useShrunk();
  const toTop = (event: MouseEvent) => {
    if (window.location.pathname !== home) return;
    event.preventDefault();
    window.scrollTo({ top: 0 });
  };
  return (
    <Box
      component="header"
      sx={{
        position: 'sticky',
        top: 0,
        zIndex: 1100,
        flexShrink: 0,
        bgcolor: 'background.paper',
        borderBottom: 1,
        borderColor: 'divider',
      }}
    >
      <Container
        sx={{
          display: 'flex',
          alignItems: 'center',
          gap: { xs: 1, md: 1.5 },
          height: shrunk ? { xs: 52, md: 54 } : { xs: 56, md: 64 },
          transition: 'height 200ms',
        }}
      >
        <Box
          component={Link}
          to={home}
          onClick={toTop}
          aria-label={t('shell.home')}
          sx={{
            display: 'inline-flex',
            alignItems: 'center',
            gap: 1.25,
            color: 'text.primary',
            textDecoration: 'none',
            whiteSpace: 'nowrap',
            minHeight: 40,
          }}
        >
          <Mark />
          <Box component="span" sx={{ fontSize: { xs: 18, md: 20 }, fontWeight: 700, lineHeight: 1 }}>
            {t('brand.name')}
          </Box>
          {language === 'zh' && (
            <Box
              component="span"
              lang="en"
              aria-hidden
              sx={{ display: { xs: 'none', md: 'inline' }, fontSize: 15, fontWeight: 500, color: 'text.tertiary', ml: -0.25 }}
            >
              {t('brand.latin')}
            </Box>
          )}
        </Box>
        {nav}
        <Box sx={{ flex: 1, display: { md: 'none' } }} />
        <Box sx={{ display: { xs: bare ? 'none' : 'flex', md: 'flex' }, alignItems: 'center', gap: 0.5 }}>
          <LanguageSwitch />
          <ThemeSwitch />
        </Box>
        {account}
      </Container>
    </Box>
  );
}
