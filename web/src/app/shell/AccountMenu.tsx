import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Identity } from '../../shared/api/tokens.ts';
import { initialOf } from '../../shared/format/callName.ts';
import { lazyComponent } from '../../shared/pwa/lazyComponent.tsx';
import styles from './AccountMenu.module.css';

const AccountItems = lazyComponent(async () => (await import('./AccountItems.tsx')).AccountItems);

function Avatar({ letter, ...rest }: { letter: string } & ComponentProps<'button'>) {
  const { t } = useTranslation();
  return (
    <button type="button" aria-label={t('shell.account', { letter })} aria-haspopup="menu" {...rest} className={styles.avatar}>
      {letter}
    </button>
  );
}

/**
 * Renders the avatar, which opens the account menu: name, mail address, balance, dashboard,
 * settings, sign out. On a phone the menu also has language and theme.
 */
export function AccountMenu({ identity }: { identity: Pick<Identity, 'email' | 'display_name'> }) {
  const [asked, setAsked] = useState(false);
  const letter = initialOf(identity);
  const avatar = <Avatar letter={letter} onClick={() => setAsked(true)} />;
  // Until the first press, only the avatar is rendered. The press loads the code of the menu.
  if (!asked) return avatar;
  return (
    <AccountItems identity={identity} trigger={<Avatar letter={letter} />} fallback={avatar} onMissing={() => setAsked(false)} />
  );
}
