import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { FormBox } from '../../parts/account/FormBox.tsx';
import { StrengthMeter } from '../../parts/account/StrengthMeter.tsx';
import { RESET_CLASSES } from '../../shared/forms/passwordStrength.ts';
import type { Words } from '../../shared/i18n/words.ts';
import { Notice } from '../../shared/legacy/Notice.tsx';
import { PasswordField } from '../../shared/legacy/PasswordField.tsx';
import { Problem } from '../../shared/legacy/Problem.tsx';
import { paths } from '../../shared/routing/paths.ts';
import { AuthCard } from './AuthCard.tsx';
import { Busy } from './Busy.tsx';
import { type LinkState, useResetForm } from './useResetForm.ts';

const REDIRECT_MS = 3_000;

const broken = {
  missing: { title: 'auth.resetMissing', text: 'auth.resetInvalidText' },
  invalid: { title: 'auth.resetInvalid', text: 'auth.resetInvalidText' },
  expired: { title: 'auth.resetExpired', text: 'auth.resetExpiredText' },
} as const satisfies Partial<Record<LinkState, { title: Words; text: Words }>>;

type Reset = ReturnType<typeof useResetForm>;

/** /auth/reset-password?token=: checks the link, takes the new password, and leads to sign in. */
export function ResetPasswordPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const reset = useResetForm({
    token: search.get('token')?.trim() ?? '',
    delayMs: REDIRECT_MS,
    onDone: () => navigate(paths.login, { replace: true, state: { reset: true } }),
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
      <Notice tone="ok" live="status">
        {t('auth.resetDoneText')}
      </Notice>
    );
  if (reset.link === 'valid') return <ResetFields reset={reset} />;
  if (reset.link === 'verifying') return <Busy text={t('auth.resetVerifying')} />;
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      {reset.link === 'unchecked' ? (
        <>
          <Problem error={reset.failure} fallback="auth.resetCheckFailed" />
          <Button fullWidth onClick={reset.checkAgain}>
            {t('problem.retry')}
          </Button>
        </>
      ) : (
        <Notice tone="error" title={t(broken[reset.link].title)}>
          {t(broken[reset.link].text)}
        </Notice>
      )}
      <Button component={Link} to={paths.forgot} fullWidth variant={reset.link === 'unchecked' ? 'outlined' : 'contained'}>
        {t('auth.resetRequestNew')}
      </Button>
      <Button component={Link} to={paths.login} fullWidth variant="outlined">
        {t('auth.backToSignIn')}
      </Button>
    </Box>
  );
}

function ResetFields({ reset }: { reset: Reset }) {
  const { t } = useTranslation();
  const { form, submit, password, sending, error, busy } = reset;
  const { errors } = form.formState;
  const message = (key: string | undefined) => (key ? t(key as Words) : undefined);
  return (
    <FormBox onSubmit={submit}>
      <PasswordField
        label={t('auth.newPassword')}
        autoComplete="new-password"
        disabled={busy}
        error={message(errors.password?.message)}
        after={<StrengthMeter password={password} wanted={RESET_CLASSES} />}
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
      <Button type="submit" fullWidth loading={sending} disabled={busy}>
        {t('auth.resetButton')}
      </Button>
    </FormBox>
  );
}
