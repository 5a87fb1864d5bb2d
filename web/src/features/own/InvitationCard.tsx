import { useTranslation } from 'react-i18next';
import { useNavigate, useSearchParams } from 'react-router';
import { AcceptTerms } from '../../parts/account/AcceptTerms.tsx';
import { FormBox } from '../../parts/account/FormBox.tsx';
import { StrengthMeter } from '../../parts/account/StrengthMeter.tsx';
import { signOut } from '../../shared/api/signOut.ts';
import { useIdentity } from '../../shared/api/useIdentity.ts';
import { instantInFull } from '../../shared/i18n/format.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { useLanguage } from '../../shared/i18n/useLanguage.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Link } from '../../shared/ui/Link.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { Spinner } from '../../shared/ui/Spinner.tsx';
import { Text } from '../../shared/ui/Text.tsx';
import { TextField } from '../../shared/ui/TextField.tsx';
import { OwnCard } from './OwnCard.tsx';
import { prefillSignIn } from './signIn.ts';
import { useInvitation } from './useInvitation.ts';

type Invitation = ReturnType<typeof useInvitation>;

/**
 * Renders /auth/invitation?token=. The invited user chooses a password, which creates the account.
 */
export function InvitationCard() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const identity = useIdentity();
  const found = useInvitation(search.get('token')?.trim() ?? '', language, () => navigate(paths.dashboard, { replace: true }));
  const { state, invitation } = found;
  return (
    <OwnCard title={t('own.invitationTitle')} lead={t('own.invitationLead')}>
      {state === 'asking' && (
        <Text variant="small" color="secondary" role="status">
          <Spinner /> {t('own.looking')}
        </Text>
      )}
      {(state === 'used' || state === 'expired') && (
        <>
          <Alert tone="error" title={t(state === 'used' ? 'own.invitationUsed' : 'own.invitationExpired')}>
            {t('own.invitationAgain')}
          </Alert>
          <ToSignIn />
        </>
      )}
      {state === 'unchecked' && (
        <>
          <Problem error={found.failure} fallback="own.invitationUnchecked" />
          <Button wide onClick={found.lookAgain}>
            {t('problem.retry')}
          </Button>
        </>
      )}
      {state === 'good' && invitation && !found.busy && identity && (
        <>
          <Alert tone="warning">{t('own.otherAccount', { email: invitation.email, own: identity.email })}</Alert>
          <Button wide onClick={signOut}>
            {t('nav.logout')}
          </Button>
        </>
      )}
      {state === 'good' && invitation && (found.busy || !identity) && !found.made && (
        <Fields found={found} email={invitation.email} />
      )}
      {found.made && invitation && (
        <>
          <Alert tone="ok" live="status">
            {t('own.made')}
          </Alert>
          <ToSignIn email={invitation.email} />
        </>
      )}
      {state === 'good' && invitation && !found.busy && !identity && (
        <Text variant="caption" color="tertiary">
          {t('own.invitationUntil', { when: instantInFull(invitation.expires_at, language) })}
        </Text>
      )}
    </OwnCard>
  );
}

function ToSignIn({ email }: { email?: string }) {
  const { t } = useTranslation();
  return (
    <ButtonLink wide variant="secondary" render={<Link to={paths.login} onClick={() => email && prefillSignIn(email)} />}>
      {t('auth.goSignIn')}
    </ButtonLink>
  );
}

function Fields({ found, email }: { found: Invitation; email: string }) {
  const { t } = useTranslation();
  const { form, submit, password, sending, error, busy } = found;
  const { errors } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as TextKey) : undefined);
  return (
    <FormBox onSubmit={submit}>
      <TextField label={t('auth.email')} type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={t('auth.password')}
        autoComplete="new-password"
        placeholder={t('auth.needLength')}
        hint={!password && t('auth.passwordClasses')}
        disabled={busy}
        error={message(errors.password?.message)}
        after={<StrengthMeter password={password} email={email} refused={errors.password !== undefined} />}
        {...form.register('password')}
      />
      <PasswordField
        label={t('auth.confirmPassword')}
        autoComplete="new-password"
        placeholder={t('auth.onceMore')}
        disabled={busy}
        error={message(errors.confirmPassword?.message)}
        {...form.register('confirmPassword')}
      />
      <Problem error={error} fallback="own.invitationFailed" />
      <Button type="submit" wide loading={sending} disabled={busy}>
        {t('own.invitationButton')}
      </Button>
      <AcceptTerms />
    </FormBox>
  );
}
