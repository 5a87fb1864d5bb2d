import AppBar from '@mui/material/AppBar';
import Box from '@mui/material/Box';
import Container from '@mui/material/Container';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useLanguage } from '../../i18n/useLanguage.ts';
import { useIdentity } from '../../routes/guards.tsx';
import { paths } from '../../routes/paths.ts';
import { Mark } from '../../ui/Mark.tsx';
import { AccountMenu } from './AccountMenu.tsx';
import { BalanceChip } from './BalanceChip.tsx';
import { GuestActions } from './GuestActions.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { MainNav } from './MainNav.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

/** The sticky header: logo, navigation, language and theme, balance and account (or sign-in) at the right. */
export function Header() {
  const { t } = useTranslation();
  const language = useLanguage();
  const identity = useIdentity();
  return (
    <AppBar
      position="sticky"
      elevation={0}
      color="inherit"
      sx={{ bgcolor: 'background.paper', borderRadius: 0, borderBottom: 1, borderColor: 'divider', zIndex: 1100 }}
    >
      <Container sx={{ display: 'flex', alignItems: 'center', gap: { xs: 1, md: 1.5 }, height: { xs: 56, md: 64 } }}>
        <Box
          component={Link}
          to={identity ? paths.dashboard : paths.home}
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
          <Typography component="span" sx={{ fontSize: { xs: 18, md: 20 }, fontWeight: 700, lineHeight: 1 }}>
            {t('brand.name')}
          </Typography>
          {language === 'zh' && (
            <Typography
              component="span"
              lang="en"
              sx={{ display: { xs: 'none', md: 'inline' }, fontSize: 15, fontWeight: 500, color: 'text.tertiary', ml: -0.25 }}
            >
              {t('brand.latin')}
            </Typography>
          )}
        </Box>
        <MainNav />
        <Box sx={{ flex: 1, display: { md: 'none' } }} />
        <Box sx={{ display: { xs: identity ? 'none' : 'flex', md: 'flex' }, alignItems: 'center', gap: 0.5 }}>
          <LanguageSwitch />
          <ThemeSwitch />
        </Box>
        {identity ? (
          <>
            <BalanceChip />
            <AccountMenu identity={identity} />
          </>
        ) : (
          <GuestActions />
        )}
      </Container>
    </AppBar>
  );
}
