import { useQuery } from '@tanstack/react-query';
import { User as Person } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMethods } from '../../shared/api/methods.ts';
import { queries } from '../../shared/api/queries.ts';
import { updateIdentity } from '../../shared/api/session.ts';
import type { User } from '../../shared/api/types.ts';
import { callName } from '../../shared/format/callName.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { EmailDialog, NameDialog, PasswordDialog } from './lazyParts.ts';
import { Loaded, Row, Section } from './Section.tsx';
import styles from './settings.module.css';

/** Name, e-mail and password of the account here. */
export function AccountSetting() {
  const { t } = useTranslation();
  const query = useQuery(queries.profile());
  return (
    <Section
      id="account"
      icon={Person}
      title={t('account.title')}
      mark={query.data?.google_linked && <Badge tone="line">{t('account.google')}</Badge>}
    >
      <Loaded query={query} rows={3} failed="account.loadFailed">
        {(user) => <Rows user={user} />}
      </Loaded>
    </Section>
  );
}

function Rows({ user }: { user: User }) {
  const { t } = useTranslation();
  const methods = useMethods();
  const [dialog, setDialog] = useState<'name' | 'email' | 'password' | null>(null);
  const close = () => setDialog(null);
  const noMail = methods?.mail === false;
  // Changed here or on another device: greeting and header follow.
  useEffect(() => updateIdentity(user), [user]);
  return (
    <>
      <Row
        actions={
          <Button variant="secondary" size="small" onClick={() => setDialog('name')}>
            {t('account.changeName')}
          </Button>
        }
      >
        <Text variant="strong" className={styles.mail}>
          {callName(user)}
        </Text>
        <Text variant="small" color="secondary">
          {t('account.nameUse')}
        </Text>
      </Row>
      <Row
        actions={
          <Button variant="secondary" size="small" disabled={noMail} onClick={() => setDialog('email')}>
            {t('account.changeEmail')}
          </Button>
        }
      >
        <Text variant="strong" className={styles.mail}>
          {user.email}
        </Text>
        <Text variant="small" color="secondary">
          {noMail ? t('account.noMail') : t('account.emailUse')}
        </Text>
      </Row>
      <Row
        actions={
          <Button variant="secondary" size="small" onClick={() => setDialog('password')}>
            {user.has_password ? t('account.changePassword') : t('account.setPassword')}
          </Button>
        }
      >
        <Text variant="strong">{t('account.password')}</Text>
        <Text variant="small" color="secondary">
          {user.has_password ? t('account.passwordText') : t('account.noPassword')}
        </Text>
      </Row>
      {dialog === 'name' && <NameDialog name={user.display_name ?? ''} onClose={close} onMissing={close} />}
      {dialog === 'email' && <EmailDialog email={user.email} onClose={close} onMissing={close} />}
      {dialog === 'password' && (
        <PasswordDialog email={user.email} hasPassword={user.has_password} onClose={close} onMissing={close} />
      )}
    </>
  );
}
