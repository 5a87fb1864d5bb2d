import Box from '@mui/material/Box';
import Divider from '@mui/material/Divider';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queries } from '../../shared/api/queries.ts';
import { signOut } from '../../shared/api/signOut.ts';
import { amount } from '../../shared/i18n/format.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Link, useGo } from '../../shared/ui/Link.tsx';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

interface Props {
  email: string;
  anchor: HTMLElement | null;
  onClose: () => void;
}

/** What the avatar's menu holds; a chunk of its own, which comes when it is first opened. */
export function AccountItems({ email, anchor, onClose: close }: Props) {
  const { t } = useTranslation();
  const go = useGo();
  const { data: credit } = useQuery(queries.credit());
  const leave = () => {
    close();
    signOut();
    go(paths.login, { replace: true });
  };
  return (
    <Menu anchorEl={anchor} open={anchor !== null} onClose={close} slotProps={{ paper: { sx: { minWidth: 240 } } }}>
      <Box component="li" role="none" sx={{ px: 2, py: 1 }}>
        <Typography variant="body2" sx={{ fontWeight: 600, overflowWrap: 'anywhere' }}>
          {email}
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
  );
}
