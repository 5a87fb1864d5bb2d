import { useMutation, useQuery } from '@tanstack/react-query';
import { User as Person } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGoogle } from '../../parts/account/useGoogle.ts';
import { answer, client } from '../../shared/api/client.ts';
import { useMethods } from '../../shared/api/methods.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import { updateIdentity } from '../../shared/api/session.ts';
import type { User } from '../../shared/api/types.ts';
import { callName } from '../../shared/format/callName.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { ConfirmDialog, EmailDialog, NameDialog, PasswordDialog } from './lazyParts.ts';
import { Loaded, Row, Section } from './Section.tsx';
import styles from './settings.module.css';

/** Renders the name, mail address and password of the account. */
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

const HERE = `${paths.settings}#account`;

/** Renders the linked Google account. Linking and unlinking require a proof of identity. */
function GoogleRow({ user }: { user: User }) {
  const { t } = useTranslation();
  const { go, leaving, error } = useGoogle(useLanguage());
  const [asking, setAsking] = useState(false);
  const unlink = useMutation({
    mutationFn: () => answer(client.DELETE('/user/google')),
    onSuccess: () => {
      setAsking(false);
      toast.success(t('account.googleUnlinked'));
      for (const name of ['profile', 'activity']) void queryClient.invalidateQueries({ queryKey: [name] });
    },
  });
  const action = user.google_linked ? (
    <Button variant="secondary" size="small" disabled={!user.has_password} onClick={() => setAsking(true)}>
      {t('account.unlinkGoogle')}
    </Button>
  ) : (
    <Button
      variant="secondary"
      size="small"
      loading={leaving}
      onClick={() => go({ purpose: 'link', rememberMe: false, returnTo: HERE })}
    >
      {t('account.linkGoogle')}
    </Button>
  );
  const text = user.google_linked ? (user.has_password ? 'account.googleOn' : 'account.googleOnly') : 'account.googleOff';
  return (
    <Row actions={action}>
      <Text variant="strong">{t('account.googleTitle')}</Text>
      {user.google_email && <Text variant="small">{user.google_email}</Text>}
      <Text variant="small" color="secondary">
        {t(text)}
      </Text>
      <Problem error={error} fallback="account.linkFailed" />
      {asking && (
        <ConfirmDialog
          title={t('account.unlinkGoogle')}
          confirm={t('account.unlink')}
          busy={unlink.isPending}
          error={unlink.error}
          fallback="account.unlinkFailed"
          onConfirm={() => unlink.mutate()}
          onClose={() => {
            unlink.reset();
            setAsking(false);
          }}
          onMissing={() => setAsking(false)}
        >
          <span>{t('account.unlinkText')}</span>
        </ConfirmDialog>
      )}
    </Row>
  );
}

function Rows({ user }: { user: User }) {
  const { t } = useTranslation();
  const methods = useMethods();
  const [dialog, setDialog] = useState<'name' | 'email' | 'password' | null>(null);
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
      {(methods?.google || user.google_linked) && <GoogleRow user={user} />}
      {dialog === 'name' && <NameDialog name={user.display_name ?? ''} onClose={close} onMissing={close} />}
      {dialog === 'email' && <EmailDialog email={user.email} onClose={close} onMissing={close} />}
      {dialog === 'password' && (
        <PasswordDialog email={user.email} hasPassword={user.has_password} onClose={close} onMissing={close} />
      )}
    </>
  );
}
