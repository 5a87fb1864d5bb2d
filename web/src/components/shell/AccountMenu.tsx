import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queries } from '../../api/queries.ts';
import type { User } from '../../api/types.ts';
import { amount } from '../../i18n/format.ts';
import { signOut } from '../../lib/signOut.ts';
import { paths } from '../../routes/paths.ts';
import { Link, useGo } from '../../ui/Link.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

/** The avatar with its menu: e-mail, balance, dashboard, settings, sign out; on a phone language and theme live here too. */
export function AccountMenu({ identity }: { identity: Pick<User, 'email' | 'username'> }) {
  const { t } = useTranslation();
  const go = useGo();
  const { data: credit } = useQuery(queries.credit());
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const letter = (identity.email[0] ?? '?').toUpperCase();
  const close = () => setAnchor(null);
  const leave = () => {
    close();
    signOut();
    go(paths.login, { replace: true });
  };
  return (
    <>
      <ButtonBase
        aria-label={t('shell.account', { letter })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event: MouseEvent<HTMLElement>) => setAnchor(event.currentTarget)}
        sx={{
          width: 36,
          height: 36,
          borderRadius: '50%',
          bgcolor: 'primary.main',
          color: 'primary.contrastText',
          fontSize: 14,
          fontWeight: 600,
          flex: 'none',
        }}
      >
        {letter}
      </ButtonBase>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close} slotProps={{ paper: { sx: { minWidth: 240 } } }}>
        <Box component="li" role="none" sx={{ px: 2, py: 1 }}>
          <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
            {identity.email}
          </Typography>
          {credit && (
            <Typography variant="caption" color="textSecondary">
              {t('shell.balance', { amount: amount(credit.credit), currency: credit.currency })}
            </Typography>
          )}
        </Box>
        <Divider component="li" role="none" />
        <MenuItem component={Link} to={paths.dashboard} onClick={close}>
          {t('nav.dashboard')}
        </MenuItem>
        <MenuItem component={Link} to={paths.settings} onClick={close}>
          {t('nav.settings')}
        </MenuItem>
        <MenuItem component={Link} to={paths.status} onClick={close}>
          {t('nav.status')}
        </MenuItem>
        <MenuItem onClick={leave}>{t('nav.logout')}</MenuItem>
        <Box
          component="li"
          role="none"
          sx={{ display: { xs: 'flex', md: 'none' }, alignItems: 'center', justifyContent: 'space-between', px: 2, py: 1 }}
        >
          <LanguageSwitch />
          <ThemeSwitch />
        </Box>
      </Menu>
    </>
  );
}
