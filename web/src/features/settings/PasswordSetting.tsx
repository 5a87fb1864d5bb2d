import { useMutation, useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useGoogle } from '../../parts/account/useGoogle.ts';
import { answer, client } from '../../shared/api/client.ts';
import { useMethods } from '../../shared/api/methods.ts';
import { queries, queryClient } from '../../shared/api/queries.ts';
import type { User } from '../../shared/api/types.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Badge } from '../../shared/ui/Badge.tsx';
import { Button } from '../../shared/ui/Button.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { toast } from '../../shared/ui/toasts.ts';
import { PasswordDialog } from './lazyParts.ts';
import { ConfirmDialog } from './lazyQuestions.ts';
import { settingsQueries } from './queries.ts';
import { Loaded, Row, Section } from './Section.tsx';

/** Renders the ways to sign in: the password and the linked Google account. */
export function PasswordSetting() {
  const { t } = useTranslation();
  const query = useQuery(queries.profile());
  return (
    <Section
      id="password"
      icon={KeyRound}
      title={t('account.signInTitle')}
      mark={query.data?.google_linked && <Badge tone="line">{t('account.google')}</Badge>}
    >
      <Loaded query={query} rows={2} failed="account.loadFailed">
        {(user) => <Rows user={user} />}
      </Loaded>
    </Section>
  );
}

const HERE = `${paths.settingsTopic('security')}#password`;

/** Renders the linked Google account. Linking and unlinking require a proof of identity. */
function GoogleRow({ user }: { user: User }) {
  const { t } = useTranslation();
  const { go, leaving, error } = useGoogle(useLanguage());
  const [asking, setAsking] = useState(false);
  const known = useQuery(settingsQueries.passkeys());
  const otherWay = user.has_password || known.data?.passkeys.some(({ usable }) => usable) === true;
  const unlink = useMutation({
    mutationFn: () => answer(client.DELETE('/user/google')),
    onSuccess: () => {
      setAsking(false);
      toast.success(t('account.googleUnlinked'));
      for (const name of ['profile', 'activity']) void queryClient.invalidateQueries({ queryKey: [name] });
    },
  });
  const action = user.google_linked ? (
    <Button variant="secondary" size="small" disabled={!otherWay} onClick={() => setAsking(true)}>
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
  const text = user.google_linked ? (otherWay ? 'account.googleOn' : 'account.googleOnly') : 'account.googleOff';
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
  const [changing, setChanging] = useState(false);
  const close = () => setChanging(false);
  return (
    <>
      <Row
        actions={
          <Button variant="secondary" size="small" onClick={() => setChanging(true)}>
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
      {changing && <PasswordDialog email={user.email} hasPassword={user.has_password} onClose={close} onMissing={close} />}
    </>
  );
}
