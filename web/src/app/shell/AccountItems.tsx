import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useBilling } from '../../shared/api/billing.ts';
import { queries } from '../../shared/api/queries.ts';
import { signOut } from '../../shared/api/signOut.ts';
import type { Identity } from '../../shared/api/tokens.ts';
import { amount } from '../../shared/i18n/format.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Link, useGo } from '../../shared/ui/Link.tsx';
import { Menu, MenuItem, MenuLink, MenuSeparator } from '../../shared/ui/Menu.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import styles from './AccountMenu.module.css';
import { LanguageSwitch } from './LanguageSwitch.tsx';
import { ThemeSwitch } from './ThemeSwitch.tsx';

interface Props {
  identity: Pick<Identity, 'email' | 'display_name'>;
  trigger: ReactElement;
}

/**
 * Renders the account menu. It is open when it mounts, because its code loads when the user opens
 * it.
 */
export function AccountItems({ identity, trigger }: Props) {
  const { t } = useTranslation();
  const go = useGo();
  const [open, setOpen] = useState(true);
  const billing = useBilling();
  const { data: credit } = useQuery(queries.credit());
  const leave = () => {
    signOut();
    go(paths.login, { replace: true });
  };
  const ways = [
    { to: paths.home, label: t('nav.home') },
    { to: paths.dashboard, label: t('nav.dashboard') },
    ...(billing ? [{ to: paths.balance, label: t('nav.balance') }] : []),
    { to: paths.settings, label: t('nav.settings') },
    { to: paths.status, label: t('nav.status') },
  ];
  return (
    <Menu trigger={trigger} open={open} onOpenChange={setOpen}>
      <div className={styles.who}>
        {identity.display_name && <Text variant="strong">{identity.display_name}</Text>}
        <Text variant="label">{identity.email}</Text>
        {billing && credit && (
          <Text variant="caption" color="secondary">
            {t('shell.balance', { amount: amount(credit.credit), currency: credit.currency })}
          </Text>
        )}
      </div>
      <MenuSeparator />
      {ways.map(({ to, label }) => (
        <MenuLink key={to} render={<Link to={to} />}>
          {label}
        </MenuLink>
      ))}
      <MenuItem onClick={leave}>{t('nav.logout')}</MenuItem>
      <div className={styles.switches}>
        <LanguageSwitch />
        <ThemeSwitch />
      </div>
    </Menu>
  );
}
