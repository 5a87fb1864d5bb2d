import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMethods } from '../../shared/api/methods.ts';
import { queries } from '../../shared/api/queries.ts';
import { updateIdentity } from '../../shared/api/session.ts';
import type { User } from '../../shared/api/types.ts';
import { callName } from '../../shared/format/callName.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { EmailDialog, NameDialog } from './lazyParts.ts';
import { Loaded, Row, Section } from './Section.tsx';
import styles from './settings.module.css';

/** Renders the name and the mail address of the account. */
export function AccountSetting() {
  const query = useQuery(queries.profile());
  return (
    <Section id="account">
      <Loaded query={query} rows={2} failed="account.loadFailed">
        {(user) => <Rows user={user} />}
      </Loaded>
    </Section>
  );
}

function Rows({ user }: { user: User }) {
  const { t } = useTranslation();
  const methods = useMethods();
  const [dialog, setDialog] = useState<'name' | 'email' | null>(null);
  const close = () => setDialog(null);
  const noMail = methods?.mail === false;
  // The user may have changed the name on another device. The stored identity follows the profile.
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
      {dialog === 'name' && <NameDialog name={user.display_name ?? ''} onClose={close} onMissing={close} />}
      {dialog === 'email' && <EmailDialog email={user.email} onClose={close} onMissing={close} />}
    </>
  );
}
