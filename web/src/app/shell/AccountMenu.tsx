import ButtonBase from '@mui/material/ButtonBase';
import { type MouseEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { User } from '../../shared/api/types.ts';
import { late } from '../../shared/pwa/late.tsx';

const AccountItems = late(async () => (await import('./AccountItems.tsx')).AccountItems);

/** The avatar with its menu: e-mail, balance, dashboard, settings, sign out; on a phone language and theme live here too. */
export function AccountMenu({ identity }: { identity: Pick<User, 'email' | 'username'> }) {
  const { t } = useTranslation();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [asked, setAsked] = useState(false);
  const letter = (identity.email[0] ?? '?').toUpperCase();
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
      <ButtonBase
        aria-label={t('shell.account', { letter })}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={open}
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
      {asked && <AccountItems email={identity.email} anchor={anchor} onClose={() => setAnchor(null)} onMissing={missing} />}
    </>
  );
}
