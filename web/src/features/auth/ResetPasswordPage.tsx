import { useTranslation } from 'react-i18next';
import { FormBox } from '../../parts/account/FormBox.tsx';
import { StrengthMeter } from '../../parts/account/StrengthMeter.tsx';
import { storePageMessage } from '../../shared/browser/pageMessage.ts';
import { RESET_CLASSES } from '../../shared/forms/passwordStrength.ts';
import { useAddress } from '../../shared/hooks/useAddress.ts';
import type { TextKey } from '../../shared/i18n/textKey.ts';
import { paths } from '../../shared/routing/paths.ts';
import { Alert } from '../../shared/ui/Alert.tsx';
import { Button, ButtonLink } from '../../shared/ui/Button.tsx';
import { Stack } from '../../shared/ui/Layout.tsx';
import { Link, useGo } from '../../shared/ui/Link.tsx';
import { PasswordField } from '../../shared/ui/PasswordField.tsx';
import { Problem } from '../../shared/ui/Problem.tsx';
import { AuthCard } from './AuthCard.tsx';
import { Busy } from './Busy.tsx';
import { type LinkState, useResetForm } from './useResetForm.ts';

const REDIRECT_MS = 3_000;

const broken = {
  missing: { title: 'auth.resetMissing', text: 'auth.resetInvalidText' },
  invalid: { title: 'auth.resetInvalid', text: 'auth.resetInvalidText' },
  expired: { title: 'auth.resetExpired', text: 'auth.resetExpiredText' },
} as const satisfies Partial<Record<LinkState, { title: TextKey; text: TextKey }>>;

type Reset = ReturnType<typeof useResetForm>;

/**
 * Renders /auth/reset-password?token=. It checks the link, accepts a new password, and then opens
 * the sign-in page.
 */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const go = useGo();
  const address = useAddress();
  const reset = useResetForm({
    token: address && (address.get('token')?.trim() ?? ''),
    delayMs: REDIRECT_MS,
    onDone: () => {
      storePageMessage({ reset: true });
      go(paths.login, { replace: true });
    },
  });
  return (
    <AuthCard
      title={t(reset.done ? 'auth.resetDone' : 'auth.resetTitle')}
      lead={reset.link === 'valid' && !reset.done ? t('auth.resetLead') : undefined}
      arrived={reset.done}
      picture={reset.done ? 'done' : undefined}
    >
      <View reset={reset} />
    </AuthCard>
  );
}

function View({ reset }: { reset: Reset }) {
  const { t } = useTranslation();
  if (reset.done)
    return (
      <Alert tone="ok" live="status">
        {t('auth.resetDoneText')}
      </Alert>
    );
  if (reset.link === 'valid') return <ResetFields reset={reset} />;
  if (reset.link === 'verifying') return <Busy text={t('auth.resetVerifying')} />;
  return (
    <Stack>
      {reset.link === 'unchecked' ? (
        <>
          <Problem error={reset.failure} fallback="auth.resetCheckFailed" />
          <Button wide onClick={reset.checkAgain}>
            {t('problem.retry')}
          </Button>
        </>
      ) : (
        <Alert tone="error" title={t(broken[reset.link].title)}>
          {t(broken[reset.link].text)}
        </Alert>
      )}
      <ButtonLink wide variant={reset.link === 'unchecked' ? 'secondary' : 'primary'} render={<Link to={paths.forgot} />}>
        {t('auth.resetRequestNew')}
      </ButtonLink>
      <ButtonLink wide variant="secondary" render={<Link to={paths.login} />}>
        {t('auth.backToSignIn')}
      </ButtonLink>
    </Stack>
  );
}

function ResetFields({ reset }: { reset: Reset }) {
  const { t } = useTranslation();
  const { form, submit, password, sending, error, busy } = reset;
  const { errors } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as TextKey) : undefined);
  return (
    <FormBox onSubmit={submit}>
      <PasswordField
        label={t('auth.newPassword')}
        autoComplete="new-password"
        disabled={busy}
        error={message(errors.password?.message)}
        after={<StrengthMeter password={password} wanted={RESET_CLASSES} refused={errors.password !== undefined} />}
        {...form.register('password')}
      />
      <PasswordField
        label={t('auth.confirmNewPassword')}
        autoComplete="new-password"
        disabled={busy}
        error={message(errors.confirmPassword?.message)}
        {...form.register('confirmPassword')}
      />
      <Problem error={error} fallback="auth.resetFailed" />
      <Button type="submit" wide loading={sending} disabled={busy}>
        {t('auth.resetButton')}
      </Button>
    </FormBox>
  );
}
